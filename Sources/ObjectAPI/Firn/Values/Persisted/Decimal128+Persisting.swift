import FirnValues
import Foundation

extension Decimal128: _SingleValue, _OptionalCapable {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = Decimal128

    /// The declaration of an element.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.decimal128) }

    /// Returns 0, the value of a property without an initial value.
    public static func _initial() -> Decimal128 { Decimal128() }

    /// Creates an element from its stored form.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Decimal128 {
        guard case .decimal128(let bits) = stored.value else { otherType(stored, Self.self) }
        return Decimal128(bits: bits)
    }

    /// Returns the stored form of an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.decimal128(bits)) }

    /// Converts a number of any type, or a string that is a number, to an element.
    public static func _element(from value: Any) -> Decimal128? {
        // Null is not a number here, because only optional properties can be nil.
        value is NSNull ? nil : Decimal128(convertible: value)
    }
}

extension Decimal128: Codable {
    /// Creates a number by decoding a string, an integer or a floating-point number.
    ///
    /// - Parameter decoder: A decoder that holds a single value.
    /// - Throws: `DecodingError.dataCorrupted` for any other value, or for a string that is not a
    ///   number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Each attempt fails if the value has a different type, and the next one is tried.
        if let text = try? container.decode(String.self) {
            guard let number = Decimal128(text) else {
                throw Self.corrupted(container, "\"\(text)\" is not a number")
            }
            self = number
        } else if let number = try? container.decode(Int64.self) {
            self.init(number)
        } else if let number = try? container.decode(Double.self) {
            self.init(number)
        } else {
            throw Self.corrupted(container, "a Decimal128 is a text or a number")
        }
    }

    private static func corrupted(
        _ container: any SingleValueDecodingContainer, _ message: String
    ) -> DecodingError {
        .dataCorruptedError(in: container, debugDescription: message)
    }

    /// Encodes the string value of the number, which preserves every digit.
    ///
    /// - Parameter encoder: An encoder for a single value.
    /// - Throws: An error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        // Realm writes positive exponents without a sign: `1.5E2`.
        try container.encode(stringValue.replacing("E+", with: "E"))
    }
}
