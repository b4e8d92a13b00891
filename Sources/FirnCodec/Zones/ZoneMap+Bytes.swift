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
        rowCount = try reader.count(max: CodecLimits.rowsPerPageMax)
        nullCount = try reader.count(max: rowCount)
        let flags = try reader.u8()
        guard flags & ~(Self.hasBounds | Self.isPrefix | Self.someNaN) == 0 else {
            throw CodecError(.corrupt, "unknown flags of a zone map", at: start)
        }
        maximumIsPrefix = flags & Self.isPrefix != 0
        hasNaN = flags & Self.someNaN != 0
        guard flags & Self.hasBounds != 0 else { return }
        let low = try Value(scalarFrom: &reader)
        let high = try Value(scalarFrom: &reader)
        // A maximum that was cut may come before the minimum that starts with it.
        let canBeCut = high.tag == .string || high.tag == .data
        let isOrdered = maximumIsPrefix && canBeCut || low.order(relativeTo: high) != .greater
        guard low.tag == high.tag, !low.isNull, isOrdered, canBeCut || !maximumIsPrefix else {
            throw CodecError(.corrupt, "bounds of a zone map are exchanged", at: start)
        }
        minimum = low
        maximum = high
    }
}
