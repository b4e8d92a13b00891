import FirnValues

/// The form of a single scalar value, for constants and zone maps.
///
///     u8 tag | null:       -                    | date:       zigzag s, varint ns
///            | bool:       u8                   | decimal128: 16 bytes, high half first
///            | int:        zigzag               | objectID:   12 bytes
///            | float:      u32 bits             | uuid:       16 bytes
///            | double:     u64 bits             | data:       varint length, bytes
///            | string:     varint length, UTF-8
///
/// The halves of decimals and identifiers are big-endian, as in columns.
extension Value {
    func writeScalar(to writer: inout ByteWriter) {
        writer.u8(tag.rawValue)
        switch self {
        case .bool(let value): writer.u8(value ? 1 : 0)
        case .int(let value): writer.zigzag(value)
        case .float(let value): writer.u32(value.bitPattern)
        case .double(let value): writer.u64(value.bitPattern)
        case .date(let value):
            writer.zigzag(value.seconds)
            writer.varint(UInt64(value.nanoseconds))
        case .string(let value): writer.string(value)
        case .data(let value):
            writer.varint(UInt64(value.count))
            writer.bytes(value)
        case .decimal128(let value):
            writer.u64(value.high.byteSwapped)
            writer.u64(value.low.byteSwapped)
        case .objectID(let value):
            writer.u64(value.high.byteSwapped)
            writer.u32(value.low.byteSwapped)
        case .uuid(let value):
            writer.u64(value.high.byteSwapped)
            writer.u64(value.low.byteSwapped)
        case .null: break
        case .link, .list, .set, .map: preconditionFailure("not a scalar value")
        }
    }

    init(scalarFrom reader: inout ByteReader) throws(CodecError) {
        let start = reader.offset
        let tag = ValueTag(rawValue: try reader.u8())
        guard
            let value = try Value.scalar(
                tag, from: &reader, byteCountMax: CodecLimits.constantStringBytesMax)
        else { throw CodecError(.corrupt, "not a scalar value", at: start) }
        self = value
    }

    /// Skips a scalar without checking its value.
    static func skipScalar(_ reader: inout ByteReader) throws(CodecError) {
        let start = reader.offset
        switch ValueTag(rawValue: try reader.u8()) {
        case .null: break
        case .bool: _ = try reader.skip(1)
        case .int: try reader.skipVarint()
        case .float: _ = try reader.skip(4)
        case .double: _ = try reader.skip(8)
        case .date:
            try reader.skipVarint()
            try reader.skipVarint()
        case .string, .data:
            _ = try reader.skip(try reader.count(max: CodecLimits.constantStringBytesMax))
        case .decimal128, .uuid: _ = try reader.skip(16)
        case .objectID: _ = try reader.skip(12)
        case .link, .list, .set, .map, .any, nil:
            throw CodecError(.corrupt, "not a scalar value", at: start)
        }
    }

    /// Reads the rest of a scalar after its tag; `nil` for any other tag.
    ///
    /// - Parameter byteCountMax: the maximum size of a string or data.
    static func scalar(
        _ tag: ValueTag?, from reader: inout ByteReader, byteCountMax: Int
    ) throws(CodecError) -> Value? {
        switch tag {
        case .null: return .null
        case .bool:
            let byte = try reader.u8()
            guard byte <= 1 else {
                throw CodecError(.corrupt, "not a truth value", at: reader.offset - 1)
            }
            return .bool(byte == 1)
        case .int: return .int(try reader.zigzag())
        case .float: return .float(Float(bitPattern: try reader.u32()))
        case .double: return .double(Double(bitPattern: try reader.u64()))
        case .date:
            let seconds = try reader.zigzag()
            let nanoseconds = try reader.count(max: 999_999_999)
            return .date(Timestamp(seconds: seconds, nanoseconds: Int64(nanoseconds)))
        case .string: return .string(try reader.string(max: byteCountMax))
        case .data: return .data(Array(try reader.bytes(try reader.count(max: byteCountMax))))
        case .decimal128:
            let high = try reader.u64().byteSwapped
            return .decimal128(Decimal128(high: high, low: try reader.u64().byteSwapped))
        case .objectID:
            let high = try reader.u64().byteSwapped
            return .objectID(ObjectID(high: high, low: try reader.u32().byteSwapped))
        case .uuid:
            let high = try reader.u64().byteSwapped
            return .uuid(UUID(high: high, low: try reader.u64().byteSwapped))
        case .link, .list, .set, .map, .any, nil: return nil
        }
    }
}
