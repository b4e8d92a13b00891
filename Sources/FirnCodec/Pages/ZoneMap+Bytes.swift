import FirnValues

/// In the entry of a row group:
///
///     varint rows | varint nulls | u8 flags | [minimum] | [maximum]
///
///     flags: 1 has minimum and maximum, 2 maximum is a prefix, 4 has NaN
extension ZoneMap {
    private static let hasBounds: UInt8 = 1
    private static let isPrefix: UInt8 = 2
    private static let someNaN: UInt8 = 4

    package func write(to writer: inout ByteWriter) {
        writer.varint(UInt64(rowCount))
        writer.varint(UInt64(nullCount))
        var flags: UInt8 = 0
        if minimum != nil, maximum != nil { flags |= Self.hasBounds }
        if maximumIsPrefix { flags |= Self.isPrefix }
        if hasNaN { flags |= Self.someNaN }
        writer.u8(flags)
        if let minimum, let maximum {
            minimum.writeScalar(to: &writer)
            maximum.writeScalar(to: &writer)
        }
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        let start = reader.offset
        let (rowCount, nullCount, flags) = try Self.withoutBounds(&reader)
        self.init(rowCount: rowCount, nullCount: nullCount)
        maximumIsPrefix = flags & Self.isPrefix != 0
        hasNaN = flags & Self.someNaN != 0
        guard flags & Self.hasBounds != 0 else { return }
        let low = try Value(scalarFrom: &reader)
        let high = try Value(scalarFrom: &reader)
        guard Self.accepts(low, high, flags) else { throw Self.exchanged(start) }
        minimum = low
        maximum = high
    }

    /// Goes over what ``init(from:)`` would read, and refuses what it would, but makes no texts.
    ///
    /// - Returns: the rows that it is about.
    package static func check(_ reader: inout ByteReader) throws(CodecError) -> Int {
        let start = reader.offset
        let (rowCount, _, flags) = try withoutBounds(&reader)
        guard flags & hasBounds != 0 else { return rowCount }
        if flags & isPrefix == 0, try areOrderedNumbers(&reader) { return rowCount }
        guard let low = try text(&reader) else {
            let low = try Value(scalarFrom: &reader)
            guard accepts(low, try Value(scalarFrom: &reader), flags) else {
                throw exchanged(start)
            }
            return rowCount
        }
        guard let high = try text(&reader), low.tag == high.tag,
            flags & isPrefix != 0 || ByteStrings.order(low.bytes, high.bytes) != .greater
        else { throw exchanged(start) }
        return rowCount
    }

    /// Goes over a zone map without a look at what it says: what passes may not be one.
    package static func skip(_ reader: inout ByteReader) throws(CodecError) {
        try reader.skipVarint()
        try reader.skipVarint()
        guard try reader.u8() & hasBounds != 0 else { return }
        try Value.skipScalar(&reader)
        try Value.skipScalar(&reader)
    }

    private static func withoutBounds(
        _ reader: inout ByteReader
    ) throws(CodecError) -> (rowCount: Int, nullCount: Int, flags: UInt8) {
        let start = reader.offset
        let rowCount = try reader.count(max: CodecLimits.rowsPerPageMax)
        let nullCount = try reader.count(max: rowCount)
        let flags = try reader.u8()
        guard flags & ~(hasBounds | isPrefix | someNaN) == 0 else {
            throw CodecError(.corrupt, "unknown flags of a zone map", at: start)
        }
        return (rowCount, nullCount, flags)
    }

    /// Whether two values can be the bounds.
    private static func accepts(_ low: Value, _ high: Value, _ flags: UInt8) -> Bool {
        guard low.tag == high.tag, !low.isNull else { return false }
        // A maximum that was cut may come before the minimum that starts with it.
        let canBeCut = high.tag == .string || high.tag == .data
        if flags & isPrefix != 0 { return canBeCut }
        return low.order(relativeTo: high) != .greater
    }

    /// Goes over two numbers or dates that are in order, of the kinds that most columns have; reads
    /// nothing if what follows is anything else.
    private static func areOrderedNumbers(_ reader: inout ByteReader) throws(CodecError) -> Bool {
        var ahead = reader
        let tag = try ahead.u8()
        switch tag {
        case ValueTag.int.rawValue:
            let low = try ahead.zigzag()
            guard try ahead.u8() == tag, low <= (try ahead.zigzag()) else { return false }
        case ValueTag.double.rawValue:
            let low = Double(bitPattern: try ahead.u64())
            guard try ahead.u8() == tag, low <= Double(bitPattern: try ahead.u64()) else {
                return false
            }
        case ValueTag.date.rawValue:
            let low = (try ahead.zigzag(), try ahead.count(max: 999_999_999))
            guard try ahead.u8() == tag else { return false }
            guard low <= (try ahead.zigzag(), try ahead.count(max: 999_999_999)) else {
                return false
            }
        default: return false
        }
        reader = ahead
        return true
    }

    /// The bytes of a bound that is a text or data; `nil` if it is neither, and not read then.
    private static func text(
        _ reader: inout ByteReader
    ) throws(CodecError) -> (tag: UInt8, bytes: ByteStrings.Bytes)? {
        guard !reader.isAtEnd else { return nil }
        let tag = reader.source[reader.offset]
        guard tag == ValueTag.string.rawValue || tag == ValueTag.data.rawValue else { return nil }
        _ = try reader.skip(1)
        let count = try reader.count(max: CodecLimits.constantStringBytesMax)
        let bytes = try reader.bytes(count)
        guard tag == ValueTag.data.rawValue || UTF8Validation.isValid(bytes) else {
            throw CodecError(.corrupt, "text that is not UTF-8", at: reader.offset - count)
        }
        return (tag, bytes.assumingMemoryBound(to: UInt8.self))
    }

    private static func exchanged(_ start: Int) -> CodecError {
        CodecError(.corrupt, "bounds of a zone map are exchanged", at: start)
    }
}
