import FirnValues

/// The form of a zone map in the entry of a row group.
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

    /// Skips a zone map with the same checks as ``init(from:)``, but creates no texts.
    ///
    /// - Returns: the number of rows.
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

    /// Skips bytes that have the form of a zone map, without checking its content.
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

    /// Returns whether two values can be the bounds.
    private static func accepts(_ low: Value, _ high: Value, _ flags: UInt8) -> Bool {
        guard low.tag == high.tag, !low.isNull else { return false }
        // A truncated maximum may precede the minimum that begins with it.
        let canBeCut = high.tag == .string || high.tag == .data
        if flags & isPrefix != 0 { return canBeCut }
        return low.order(relativeTo: high) != .greater
    }

    /// Skips two numbers or dates in order, of the kinds that most columns have.
    ///
    /// Reads nothing if the next values are of other kinds.
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

    /// Returns the bytes of a bound that is text or data; otherwise `nil`, and nothing is read.
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
        CodecError(.corrupt, "the minimum of a zone map is above its maximum", at: start)
    }
}
