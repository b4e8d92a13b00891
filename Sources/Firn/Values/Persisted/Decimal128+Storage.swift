import FirnValues
import Foundation

extension Decimal128: _SingleValue, _OptionalCapable {
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
