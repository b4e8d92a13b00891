import FirnCodec
import FirnValues

/// The encoding of a type: u8 base, u8 container, u8 optional, varint target + 1 or 0, u8 integer
/// width.
extension PropertyType {
    func write(to writer: inout ByteWriter) {
        writer.u8(base.rawValue)
        writer.u8(container.rawValue)
        writer.u8(isOptional ? 1 : 0)
        writer.varint(target.map { UInt64($0.rawValue) + 1 } ?? 0)
        writer.u8(integerWidth.rawValue)
    }

    init(from reader: inout ByteReader) throws(CodecError) {
        guard let base = ValueTag(rawValue: try reader.u8()),
            let container = PropertyType.Container(rawValue: try reader.u8())
        else { throw CodecError(.corrupt, "unknown property type", at: reader.offset) }
        guard base.isStorable else {
            throw CodecError(.corrupt, "impossible property type", at: reader.offset)
        }
        let isOptional = try reader.u8() != 0
        let target = try reader.count(max: Int(UInt32.max) + 1)
        guard let width = IntegerWidth(rawValue: try reader.u8()) else {
            throw CodecError(.corrupt, "impossible property type", at: reader.offset)
        }
        self.init(
            base, isOptional: isOptional, container: container,
            target: target == 0 ? nil : ClassID(UInt32(target - 1)), integerWidth: width)
    }
}

/// The encoding of a display form: u8 form, varint argument; 0 and 0 for none.
extension DisplayForm {
    static func write(_ display: DisplayForm?, to writer: inout ByteWriter) {
        switch display {
        // A computed column is not a property.
        case nil, .computedPlaces?:
            writer.u8(0)
            writer.varint(0)
        case .dateOnly?:
            writer.u8(1)
            writer.varint(0)
        case .decimalPlaces(let places)?:
            writer.u8(2)
            writer.varint(UInt64(clamping: places))
        }
    }

    /// Reads a form; an unknown form counts as none, because it changes no value.
    static func read(from reader: inout ByteReader) throws(CodecError) -> DisplayForm? {
        let form = try reader.u8()
        let argument = try reader.varint()
        switch form {
        case 1: return .dateOnly
        case 2 where (1...15).contains(argument): return .decimalPlaces(Int(argument))
        default: return nil
        }
    }
}

extension ValueTag {
    /// Whether a property can have values of this kind.
    var isStorable: Bool {
        switch self {
        case .null, .list, .set, .map: false
        default: true
        }
    }
}
