import FirnPlatform

/// Reads the rows of CSV or TSV one after the other, without copying a field.
///
/// Memory is bounded by the longest row plus one chunk, and rows are bounded by ``ReadingLimits``.
/// Everything that is not as the format has it is an error with its place.
package struct DelimitedReader: ~Copyable {
    let format: DelimitedFormat
    /// Looked at for every field.
    let hasQuotes: Bool
    let limits: ReadingLimits
    let source: any ByteSource
    let meanings: MeaningTable
    var buffer: ReadBuffer
    /// The next byte to look at.
    var position = 0
    /// The line that ``position`` is on, counted from 1.
    var line: UInt64 = 1
    /// All bytes of the row or-ed together: below 0x80 there is nothing to validate.
    var seenBits: UInt8 = 0
    /// Whether the current field has backslashes that stand for something else.
    var hasEscapes = false
    /// The fields of the current row.
    private var fields = FieldList()
    /// The line that the current row begins on.
    package private(set) var rowLine: UInt64 = 1
    /// How many bytes of the input the rows so far took.
    package var bytesRead: UInt64 { buffer.bytesBefore + UInt64(position) }
    /// The name of the input, for errors.
    package var name: String { source.name }

    package init(
        _ source: any ByteSource, _ format: DelimitedFormat,
        limits: ReadingLimits = ReadingLimits()
    ) throws(InputError) {
        self.source = source
        self.format = format
        hasQuotes = format.hasQuotes
        self.limits = limits
        meanings = MeaningTable(format)
        buffer = ReadBuffer(capacity: limits.chunkBytes)
        try skipByteOrderMark()
    }

    /// How many fields the current row has.
    package var fieldCount: Int { fields.count }

    /// The current row; valid until the next.
    @inline(__always)
    var row: RowView {
        RowView(
            fields: UnsafePointer(fields.start), start: buffer.base + buffer.rowStart,
            count: fields.count, line: rowLine)
    }

    /// The text of a field; valid until the next row.
    func text(_ index: Int) -> UnsafeBufferPointer<UInt8> { row.text(index) }

    /// A copy of the current row as it was read, without the end of its line.
    var rowBytes: [UInt8] {
        var bytes = Array(
            UnsafeBufferPointer(
                start: buffer.base + buffer.rowStart, count: position - buffer.rowStart))
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        return bytes
    }

    /// A copy of the text of a field.
    package func string(_ index: Int) -> String { String(decoding: text(index), as: UTF8.self) }

    /// Goes to the next row.
    ///
    /// - Returns: whether there is one.
    package mutating func next() throws(InputError) -> Bool {
        buffer.rowStart = position
        fields.removeAll()
        seenBits = 0
        rowLine = line
        guard try hasByte() else { return false }
        var isMore = true
        while isMore {
            guard fields.count < limits.columnsMax else {
                throw limitError("a row has more than \(limits.columnsMax) fields")
            }
            isMore = try readField()
        }
        return true
    }

    /// Appends a field that begins and ends at these positions.
    @inline(__always)
    mutating func addField(from start: Int, to end: Int, isQuoted: Bool) {
        fields.append(
            FieldSlice(start: start &- buffer.rowStart, length: end &- start, isQuoted: isQuoted))
    }

    /// Whether there is a byte at ``position``, reading more if need be.
    @inline(__always)
    mutating func hasByte() throws(InputError) -> Bool {
        if position < buffer.end { return true }
        return try refill()
    }

    /// Reads more; positions move with the row, so they are kept relative to its beginning.
    private mutating func refill() throws(InputError) -> Bool {
        if position - buffer.rowStart > limits.rowBytesMax {
            throw limitError("a row is longer than \(limits.rowBytesMax) bytes")
        }
        while position >= buffer.end {
            let moved: Int?
            do { moved = try buffer.refill(from: source) } catch {
                throw InputError(error, name: name)
            }
            guard let moved else { return false }
            position -= moved
        }
        return true
    }

    private mutating func skipByteOrderMark() throws(InputError) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        while buffer.end < mark.count, !buffer.isAtEnd {
            do { _ = try buffer.refill(from: source) } catch {
                throw InputError(error, name: name)
            }
        }
        guard buffer.end >= mark.count else { return }
        for (index, byte) in mark.enumerated() where buffer.base[index] != byte { return }
        position = mark.count
    }
}
