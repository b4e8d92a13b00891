package import FirnValues

/// One column of one row group in memory, which any thread can read.
///
/// Codes are 8, 16, 32 or 64 bits wide. Strings are UTF-8, and other bytes are values of their
/// kind; both were validated once.
///
///     [null words] [lanes] [second lanes] [offsets] [string bytes]      one allocation
package final class ColumnPage: @unchecked Sendable {
    package let kind: ValueTag
    package let rowCount: Int
    package let nullCount: Int
    package let encoding: PageEncoding
    /// The memory size of the page, for the page cache.
    package let memoryByteCount: Int

    /// The nulls: bit i of word i / 64; `nil` if all rows are null or none is.
    let nulls: UnsafePointer<UInt64>?
    let content: PageContent
    /// The memory that `nulls` and `content` point into.
    private let memory: PageMemory

    init(
        kind: ValueTag, rowCount: Int, nullCount: Int, encoding: PageEncoding,
        nulls: UnsafePointer<UInt64>?, content: PageContent, memory: PageMemory
    ) {
        self.kind = kind
        self.rowCount = rowCount
        self.nullCount = nullCount
        self.encoding = encoding
        self.nulls = nulls
        self.content = content
        self.memory = memory
        memoryByteCount = memory.byteCount + MemoryLayout<PageContent>.size + 128
    }

    package func isNull(_ row: Int) -> Bool {
        precondition(row >= 0 && row < rowCount)
        return hasNull(row)
    }

    @inline(__always)
    func hasNull(_ row: Int) -> Bool {
        guard let nulls else { return nullCount != 0 }
        return nulls[row &>> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 == 1
    }

    /// Returns one value, for a point lookup or a result row.
    package func value(at row: Int) -> Value {
        isNull(row) ? .null : content.value(row, kind: kind)
    }
}

extension ColumnPage {
    /// Calls `body` with the bytes of the constant, for a kind that is stored as bytes.
    func withConstantBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        guard case .constant(let value) = content else { return }
        guard (try? value.withColumnBytes(of: kind, body)) != nil else {
            preconditionFailure("a constant of another kind than its page")
        }
    }
}

/// The storage of a page.
///
/// All pointers lead into the page's memory.
enum PageContent {
    /// The value of every row that is not null.
    case constant(Value)
    /// Bool, Int, and Date in whole seconds.
    case packed(PackedCodes)
    case pairs(seconds: PackedCodes, nanoseconds: PackedCodes)
    case decimal(PackedCodes, scale: Double)
    case fixed(UnsafePointer<Double>)
    case dictionary(CodeArray, StringTable)
    case heap(StringTable)

    /// Returns the value of a row that is not null.
    func value(_ row: Int, kind: ValueTag) -> Value {
        switch self {
        case .constant(let value): value
        case .packed(let codes): Self.value(codes[row], kind: kind)
        case .pairs(let seconds, let nanoseconds):
            .date(Timestamp(seconds: seconds[row], nanoseconds: nanoseconds[row]))
        case .decimal(let codes, let scale): Self.value(codes[row], scale: scale, kind: kind)
        case .fixed(let values): Self.value(values[row], kind: kind)
        case .dictionary(let codes, let entries):
            Value(columnBytes: entries[Int(truncatingIfNeeded: codes[row])], kind: kind)
        case .heap(let strings): Value(columnBytes: strings[row], kind: kind)
        }
    }

    /// Returns a stored double as a value of a kind.
    static func value(_ double: Double, kind: ValueTag) -> Value {
        kind == .float ? .float(Float(narrowing: double)) : .double(double)
    }

    /// Returns a scaled decimal as a value of a kind.
    static func value(_ integer: Int64, scale: Double, kind: ValueTag) -> Value {
        let quotient = Double(integer) / scale
        return kind == .float ? .float(Float(quotient)) : .double(quotient)
    }

    /// Returns an integer as a value of a kind.
    static func value(_ integer: Int64, kind: ValueTag) -> Value {
        switch kind {
        case .bool: .bool(integer != 0)
        case .date: .date(Timestamp(seconds: integer))
        default: .int(integer)
        }
    }
}
