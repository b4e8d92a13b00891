import FirnValues
import Foundation

extension Decimal128: _SingleValue, _OptionalCapable {
    /// What an element is declared as.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.decimal128) }

    /// The value of a property without an initial value.
    public static func _initial() -> Decimal128 { Decimal128() }

    /// Makes an element of what the database has.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Decimal128 {
        guard case .decimal128(let bits) = stored.value else { otherType(stored, Self.self) }
        return Decimal128(bits: bits)
    }

    /// What the database stores for an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.decimal128(bits)) }

    /// Makes an element of a number of any type, or of a text that is a number.
    public static func _element(from value: Any) -> Decimal128? {
        // Null is no number here: the property is optional or it is not.
        value is NSNull ? nil : Decimal128(convertible: value)
    }
}
