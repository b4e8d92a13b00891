import FirnEngine
import FirnValues

/// The numbers of Swift that the database stores as an Int of some width.
public protocol _IntegerValue: FixedWidthInteger, _SingleValue, _OptionalCapable {}

extension _IntegerValue {
    /// What an element is declared as.
    public static var _element: _PropertyDeclaration {
        _PropertyDeclaration(.int, integerWidth: IntegerWidth(rawValue: UInt8(bitWidth)) ?? .bits64)
    }

    /// The value of a property without an initial value.
    public static func _initial() -> Self { 0 }

    /// Makes an element of what the database has.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Self {
        guard case .int(let number) = stored.value else { otherType(stored, Self.self) }
        // The engine keeps every Int within the width of its property.
        return Self(truncatingIfNeeded: number)
    }

    /// The value of a property of a managed object.
    @inlinable
    public static func _get(_ object: ObjectBase, _ place: Int) -> Self {
        // The engine keeps every Int within the width of its property.
        Self(truncatingIfNeeded: object._integer(place))
    }

    /// The value of a property of a managed object that may be nil.
    @inlinable
    public static func _getIfPresent(_ object: ObjectBase, _ place: Int) -> Self? {
        object._integerIfPresent(place).map { Self(truncatingIfNeeded: $0) }
    }

    /// What the database stores for an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.int(Int64(self))) }

    /// Makes of an integer of any type an element, if it fits.
    public static func _element(from value: Any) -> Self? {
        // Mostly it is that.
        if type(of: value) == Self.self { return value as? Self }
        if let number = FoundationNumber(value) { return number.integer() }
        if let value = value as? Self { return value }
        if value is Bool { return nil }
        return (value as? any BinaryInteger).flatMap { Self(exactly: $0) }
    }
}

extension Int: _IntegerValue {}
extension Int8: _IntegerValue {}
extension Int16: _IntegerValue {}
extension Int32: _IntegerValue {}
extension Int64: _IntegerValue {}

extension Bool: _SingleValue, _OptionalCapable {
    /// What an element is declared as.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.bool) }

    /// The value of a property without an initial value.
    public static func _initial() -> Bool { false }

    /// Makes an element of what the database has.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Bool {
        guard case .bool(let value) = stored.value else { otherType(stored, Self.self) }
        return value
    }

    /// The value of a property of a managed object.
    public static func _get(_ object: ObjectBase, _ place: Int) -> Bool {
        object.reading(
            place,
            { cursor, position throws(StoreError) in
                guard let value = try cursor.bool(position) else {
                    otherType(_StoredValue(try cursor.value(position)), Self.self)
                }
                return value
            }, { _decode(_StoredValue($0), in: object.realmReference) })
    }

    /// The value of a property of a managed object that may be nil.
    public static func _getIfPresent(_ object: ObjectBase, _ place: Int) -> Bool? {
        object.readingIfPresent(
            place, { cursor, position throws(StoreError) in try cursor.bool(position) },
            { _decode($0, in: $1) })
    }

    /// What the database stores for an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.bool(self)) }

    /// Makes of a truth value an element, also of 0 and 1 as an `NSNumber`.
    public static func _element(from value: Any) -> Bool? {
        // Mostly it is that.
        if type(of: value) == Bool.self { return value as? Bool }
        if let number = FoundationNumber(value) { return number.bool }
        return value as? Bool
    }
}

extension Float: _SingleValue, _OptionalCapable {
    /// What an element is declared as.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.float) }

    /// The value of a property without an initial value.
    public static func _initial() -> Float { 0 }

    /// Makes an element of what the database has.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Float {
        guard case .float(let value) = stored.value else { otherType(stored, Self.self) }
        return value
    }

    /// The value of a property of a managed object.
    public static func _get(_ object: ObjectBase, _ place: Int) -> Float {
        object.reading(
            place,
            { cursor, position throws(StoreError) in
                guard let value = try cursor.float(position) else {
                    otherType(_StoredValue(try cursor.value(position)), Self.self)
                }
                return value
            }, { _decode(_StoredValue($0), in: object.realmReference) })
    }

    /// The value of a property of a managed object that may be nil.
    public static func _getIfPresent(_ object: ObjectBase, _ place: Int) -> Float? {
        object.readingIfPresent(
            place, { cursor, position throws(StoreError) in try cursor.float(position) },
            { _decode($0, in: $1) })
    }

    /// What the database stores for an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.float(self)) }

    /// Makes of a number of any type an element.
    public static func _element(from value: Any) -> Float? {
        // Mostly it is that.
        if type(of: value) == Float.self { return value as? Float }
        guard let number = Double._element(from: value) else { return nil }
        let nearest = Float(number)
        // What is too large would become infinite.
        return nearest.isInfinite && number.isFinite ? nil : nearest
    }
}

extension Double: _SingleValue, _OptionalCapable {
    /// What an element is declared as.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.double) }

    /// The value of a property without an initial value.
    public static func _initial() -> Double { 0 }

    /// Makes an element of what the database has.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Double {
        guard case .double(let value) = stored.value else { otherType(stored, Self.self) }
        return value
    }

    /// The value of a property of a managed object.
    public static func _get(_ object: ObjectBase, _ place: Int) -> Double {
        object.reading(
            place,
            { cursor, position throws(StoreError) in
                guard let value = try cursor.double(position) else {
                    otherType(_StoredValue(try cursor.value(position)), Self.self)
                }
                return value
            }, { _decode(_StoredValue($0), in: object.realmReference) })
    }

    /// The value of a property of a managed object that may be nil.
    public static func _getIfPresent(_ object: ObjectBase, _ place: Int) -> Double? {
        object.readingIfPresent(
            place, { cursor, position throws(StoreError) in try cursor.double(position) },
            { _decode($0, in: $1) })
    }

    /// What the database stores for an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.double(self)) }

    /// Makes of a number of any type an element.
    public static func _element(from value: Any) -> Double? {
        // Mostly it is that.
        if type(of: value) == Double.self { return value as? Double }
        if let number = FoundationNumber(value) { return number.double }
        if let value = value as? Double { return value }
        if value is Bool { return nil }
        if let value = value as? Float { return Double(value) }
        return (value as? any BinaryInteger).map { Double($0) }
    }
}

extension String: _SingleValue, _OptionalCapable {
    /// What an element is declared as.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.string) }

    /// The value of a property without an initial value.
    public static func _initial() -> String { "" }

    /// Makes an element of what the database has.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> String {
        guard case .string(let value) = stored.value else { otherType(stored, Self.self) }
        return value
    }

    /// The value of a property of a managed object.
    public static func _get(_ object: ObjectBase, _ place: Int) -> String {
        object.reading(
            place,
            { cursor, position throws(StoreError) in
                guard let text = try cursor.string(position) else {
                    otherType(_StoredValue(try cursor.value(position)), Self.self)
                }
                return text
            }, { _decode(_StoredValue($0), in: object.realmReference) })
    }

    /// The value of a property of a managed object that may be nil.
    public static func _getIfPresent(_ object: ObjectBase, _ place: Int) -> String? {
        object.readingIfPresent(
            place, { cursor, position throws(StoreError) in try cursor.string(position) },
            { _decode($0, in: $1) })
    }

    /// What the database stores for an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.string(self)) }
}

/// A column has a value of another type than it is declared with: the binding of the class is wrong,
/// or the file was made so on purpose.
func otherType(_ stored: _StoredValue, _ type: Any.Type) -> Never {
    misuse("the database has \(stored.value.tag) where the model has \(type)")
}
