import FirnEngine
import FirnValues

/// An integer type of Swift that the database stores as an Int of the same width.
public protocol _IntegerValue: FixedWidthInteger, _SingleValue, _OptionalCapable
where PersistedType == Self {}

extension _IntegerValue {
    /// The declaration of an element.
    public static var _element: _PropertyDeclaration {
        _PropertyDeclaration(.int, integerWidth: IntegerWidth(rawValue: UInt8(bitWidth)) ?? .bits64)
    }

    /// Returns 0, the value of a property without an initial value.
    public static func _initial() -> Self { 0 }

    /// Creates an element from its stored form.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Self {
        guard case .int(let number) = stored.value else { otherType(stored, Self.self) }
        // The engine keeps every Int within the width of its property.
        return Self(truncatingIfNeeded: number)
    }

    /// Returns the value of a property of a managed object.
    @inlinable
    public static func _get(_ object: ObjectBase, _ index: Int) -> Self {
        // The engine keeps every Int within the width of its property.
        Self(truncatingIfNeeded: object._integer(index))
    }

    /// Returns the value of an optional property of a managed object.
    @inlinable
    public static func _getIfPresent(_ object: ObjectBase, _ index: Int) -> Self? {
        object._integerIfPresent(index).map { Self(truncatingIfNeeded: $0) }
    }

    /// Returns the stored form of an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.int(Int64(self))) }

    /// Converts an integer of any type to an element, if it fits.
    public static func _element(from value: Any) -> Self? {
        // The common case.
        if type(of: value) == Self.self { return value as? Self }
        if let number = FoundationNumber(value) { return number.integer() }
        if let value = value as? Self { return value }
        if value is Bool { return nil }
        return (value as? any BinaryInteger).flatMap { Self(exactly: $0) }
    }
}

extension Int: _IntegerValue {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = Int
}

extension Int8: _IntegerValue {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = Int8
}

extension Int16: _IntegerValue {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = Int16
}

extension Int32: _IntegerValue {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = Int32
}

extension Int64: _IntegerValue {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = Int64
}

extension Bool: _SingleValue, _OptionalCapable {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = Bool

    /// The declaration of an element.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.bool) }

    /// Returns `false`, the value of a property without an initial value.
    public static func _initial() -> Bool { false }

    /// Creates an element from its stored form.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Bool {
        guard case .bool(let value) = stored.value else { otherType(stored, Self.self) }
        return value
    }

    /// Returns the value of a property of a managed object.
    public static func _get(_ object: ObjectBase, _ index: Int) -> Bool {
        object.reading(
            index,
            { cursor, position throws(StoreError) in
                guard let value = try cursor.bool(position) else {
                    otherType(_StoredValue(try cursor.value(position)), Self.self)
                }
                return value
            }, { _decode(_StoredValue($0), in: object.realmReference) })
    }

    /// Returns the value of an optional property of a managed object.
    public static func _getIfPresent(_ object: ObjectBase, _ index: Int) -> Bool? {
        object.readingIfPresent(
            index, { cursor, position throws(StoreError) in try cursor.bool(position) },
            { _decode($0, in: $1) })
    }

    /// Returns the stored form of an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.bool(self)) }

    /// Converts a Boolean, which may be 0 or 1 as an `NSNumber`, to an element.
    public static func _element(from value: Any) -> Bool? {
        // The common case.
        if type(of: value) == Bool.self { return value as? Bool }
        if let number = FoundationNumber(value) { return number.bool }
        return value as? Bool
    }
}

extension Float: _SingleValue, _OptionalCapable {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = Float

    /// The declaration of an element.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.float) }

    /// Returns 0, the value of a property without an initial value.
    public static func _initial() -> Float { 0 }

    /// Creates an element from its stored form.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Float {
        guard case .float(let value) = stored.value else { otherType(stored, Self.self) }
        return value
    }

    /// Returns the value of a property of a managed object.
    public static func _get(_ object: ObjectBase, _ index: Int) -> Float {
        object.reading(
            index,
            { cursor, position throws(StoreError) in
                guard let value = try cursor.float(position) else {
                    otherType(_StoredValue(try cursor.value(position)), Self.self)
                }
                return value
            }, { _decode(_StoredValue($0), in: object.realmReference) })
    }

    /// Returns the value of an optional property of a managed object.
    public static func _getIfPresent(_ object: ObjectBase, _ index: Int) -> Float? {
        object.readingIfPresent(
            index, { cursor, position throws(StoreError) in try cursor.float(position) },
            { _decode($0, in: $1) })
    }

    /// Returns the stored form of an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.float(self)) }

    /// Converts a number of any type to an element.
    public static func _element(from value: Any) -> Float? {
        // The common case.
        if type(of: value) == Float.self { return value as? Float }
        guard let number = Double._element(from: value) else { return nil }
        let nearest = Float(number)
        // A number that is too large would become infinite.
        return nearest.isInfinite && number.isFinite ? nil : nearest
    }
}

extension Double: _SingleValue, _OptionalCapable {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = Double

    /// The declaration of an element.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.double) }

    /// Returns 0, the value of a property without an initial value.
    public static func _initial() -> Double { 0 }

    /// Creates an element from its stored form.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Double {
        guard case .double(let value) = stored.value else { otherType(stored, Self.self) }
        return value
    }

    /// Returns the value of a property of a managed object.
    public static func _get(_ object: ObjectBase, _ index: Int) -> Double {
        object.reading(
            index,
            { cursor, position throws(StoreError) in
                guard let value = try cursor.double(position) else {
                    otherType(_StoredValue(try cursor.value(position)), Self.self)
                }
                return value
            }, { _decode(_StoredValue($0), in: object.realmReference) })
    }

    /// Returns the value of an optional property of a managed object.
    public static func _getIfPresent(_ object: ObjectBase, _ index: Int) -> Double? {
        object.readingIfPresent(
            index, { cursor, position throws(StoreError) in try cursor.double(position) },
            { _decode($0, in: $1) })
    }

    /// Returns the stored form of an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.double(self)) }

    /// Converts a number of any type to an element.
    public static func _element(from value: Any) -> Double? {
        // The common case.
        if type(of: value) == Double.self { return value as? Double }
        if let number = FoundationNumber(value) { return number.double }
        if let value = value as? Double { return value }
        if value is Bool { return nil }
        if let value = value as? Float { return Double(value) }
        return (value as? any BinaryInteger).map { Double($0) }
    }
}

extension String: _SingleValue, _OptionalCapable {
    /// The type that is stored, which is the type itself.
    public typealias PersistedType = String

    /// The declaration of an element.
    public static var _element: _PropertyDeclaration { _PropertyDeclaration(.string) }

    /// Returns an empty string, the value of a property without an initial value.
    public static func _initial() -> String { "" }

    /// Creates an element from its stored form.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> String {
        guard case .string(let value) = stored.value else { otherType(stored, Self.self) }
        return value
    }

    /// Returns the value of a property of a managed object.
    public static func _get(_ object: ObjectBase, _ index: Int) -> String {
        object.reading(
            index,
            { cursor, position throws(StoreError) in
                guard let text = try cursor.string(position) else {
                    otherType(_StoredValue(try cursor.value(position)), Self.self)
                }
                return text
            }, { _decode(_StoredValue($0), in: object.realmReference) })
    }

    /// Returns the value of an optional property of a managed object.
    public static func _getIfPresent(_ object: ObjectBase, _ index: Int) -> String? {
        object.readingIfPresent(
            index, { cursor, position throws(StoreError) in try cursor.string(position) },
            { _decode($0, in: $1) })
    }

    /// Returns the stored form of an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.string(self)) }
}

/// Stops the program because a column has a value of a different type than declared.
///
/// Either the binding of the class is wrong, or the file was manipulated.
func otherType(_ stored: _StoredValue, _ type: Any.Type) -> Never {
    misuse("the database has \(stored.value.tag) where the model has \(type)")
}
