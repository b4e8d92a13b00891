/// The number of bits of an Int property, which limits its values but does not affect their
/// storage.
public enum IntegerWidth: UInt8, Hashable, Sendable, CaseIterable {
    case bits8 = 8
    case bits16 = 16
    case bits32 = 32
    case bits64 = 64

    /// The values that fit.
    public var range: ClosedRange<Int64> {
        switch self {
        case .bits8: Int64(Int8.min)...Int64(Int8.max)
        case .bits16: Int64(Int16.min)...Int64(Int16.max)
        case .bits32: Int64(Int32.min)...Int64(Int32.max)
        case .bits64: .min ... .max
        }
    }

    /// The type name in schemas: `Int8`, `Int16`, `Int32`, and `Int` for 64 bits.
    public var typeName: String { self == .bits64 ? "Int" : "Int\(rawValue)" }
}
