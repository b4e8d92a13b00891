import FirnValues

/// One scalar value in bytes, for constants and zone maps:
///
///     u8 tag | bool: u8   int: zigzag   double: u64 bits   date: zigzag s, varint ns
///            | string: varint length, UTF-8               null: -
extension Value {
    func writeScalar(to writer: inout ByteWriter) {
        writer.u8(tag.rawValue)
        switch self {
        case .bool(let value): writer.u8(value ? 1 : 0)
        case .int(let value): writer.zigzag(value)
        case .double(let value): writer.u64(value.bitPattern)
        case .date(let value):
            writer.zigzag(value.seconds)
            writer.varint(UInt64(value.nanoseconds))
        case .string(let value): writer.string(value)
        case .null: break
        default: preconditionFailure("a column has no values of this kind")
        }
    }

    init(scalarFrom reader: inout ByteReader) throws(CodecError) {
        let start = reader.offset
        switch ValueTag(rawValue: try reader.u8()) {
        case .null: self = .null
        case .bool:
            let byte = try reader.u8()
            guard byte <= 1 else { throw CodecError(.corrupt, "not a truth value", at: start) }
            self = .bool(byte == 1)
        case .int: self = .int(try reader.zigzag())
        case .double: self = .double(Double(bitPattern: try reader.u64()))
        case .date:
            let seconds = try reader.zigzag()
            let nanoseconds = try reader.count(max: 999_999_999)
            self = .date(Timestamp(seconds: seconds, nanoseconds: Int64(nanoseconds)))
        case .string:
            self = .string(try reader.string(max: CodecLimits.constantStringBytesMax))
        default: throw CodecError(.corrupt, "not a scalar value", at: start)
        }
    }
}
