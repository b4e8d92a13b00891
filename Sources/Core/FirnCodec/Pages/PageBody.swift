import FirnValues

/// A page before it is divided into blocks, or after the blocks were concatenated.
///
///     raw = [null words] [section] [section] ...      each padded to 8 bytes
///
///     packed, decimal   codes            dictionary   codes, entry lengths, entry bytes
///     ascending         code deltas      heap         lengths, bytes
///     pairs             seconds, nanos   fixed        u64 bit patterns; of Float u32
///
/// The null words are present only if some values are null and some are not. Null rows have code 0,
/// length 0 or bits 0. Bytes of any kind except String are checked to be values of that kind.
struct PageBody {
    var kind: ValueTag
    var rowCount: Int
    var nullCount: Int
    var parameters: PageParameters
    var raw: [UInt8] = []
    private var rowCodes: RowCodes?

    private struct RowCodes {
        var codes: [UInt64]
        var width: Int
        var section: Range<Int>
    }

    /// Returns whether there is a bitmap of nulls.
    ///
    /// It is omitted if it is the same for all rows.
    static func hasNullWords(rowCount: Int, nullCount: Int) -> Bool {
        nullCount > 0 && nullCount < rowCount
    }

    static func padded(_ byteCount: Int) -> Int { (byteCount + 7) & ~7 }

    init(kind: ValueTag, rowCount: Int, nullCount: Int, parameters: PageParameters) {
        self.kind = kind
        self.rowCount = rowCount
        self.nullCount = nullCount
        self.parameters = parameters
    }

    mutating func appendNulls(_ words: [UInt64]) {
        guard Self.hasNullWords(rowCount: rowCount, nullCount: nullCount) else { return }
        for word in words { withUnsafeBytes(of: word.littleEndian) { raw.append(contentsOf: $0) } }
    }

    mutating func appendCodes(_ codes: [UInt64], width: Int) {
        codes.withUnsafeBufferPointer { BitPacking.append($0, width: width, to: &raw) }
    }

    /// Appends the codes of rows, which ``realigned()`` can widen.
    mutating func appendRowCodes(_ codes: [UInt64], width: Int) {
        let start = raw.count
        appendCodes(codes, width: width)
        rowCodes = RowCodes(codes: codes, width: width, section: start..<raw.count)
    }

    /// Returns the same body with codes of whole bytes, which is larger but compresses better with
    /// LZ4.
    ///
    /// The result is `nil` if the codes already have whole bytes, or if they cannot be widened.
    func realigned() -> PageBody? {
        guard let rowCodes, rowCodes.width > 0, rowCodes.width < 32,
            let width = [8, 16, 32].first(where: { $0 >= rowCodes.width }), width > rowCodes.width,
            let parameters = parameters.widened(to: width)
        else { return nil }
        var body = self
        body.parameters = parameters
        body.rowCodes = nil
        body.raw = Array(raw[..<rowCodes.section.lowerBound])
        body.appendCodes(rowCodes.codes, width: width)
        body.raw += raw[rowCodes.section.upperBound...]
        return body
    }

    mutating func appendBytes(_ bytes: UnsafeRawBufferPointer) {
        raw.append(contentsOf: bytes)
        pad()
    }

    mutating func pad() {
        raw.append(contentsOf: repeatElement(0, count: Self.padded(raw.count) - raw.count))
    }
}
