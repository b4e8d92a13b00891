import FirnValues
import Foundation

/// A type that a property declared with ``Persisted`` can have.
///
/// Only the types of this module conform: numbers, strings, dates, objects and so on, and optionals
/// and collections of them. To store your own types, use ``CustomPersistable`` or
/// ``PersistableEnum``.
public protocol _Persistable: SendableMetatype {
    /// The declaration of the property.
    static var _declaration: _PropertyDeclaration { get }
    /// Returns the value of a property without an initial value.
    static func _initial() -> Self
    /// Returns the value of a property of a managed object.
    static func _get(_ object: ObjectBase, _ index: Int) -> Self
    /// Sets a property of a managed object, in a write transaction.
    static func _set(_ object: ObjectBase, _ index: Int, to value: Self)
    /// Returns the stored form of the value of an object that is being added.
    func _stored(_ links: _LinkEncoder) -> _StoredValue
    /// Converts a value from a dictionary, an array or another object to this type.
    ///
    /// Returns `nil` if the value has a different type.
    static func _converted(_ value: Any) -> Self?
    /// Returns the value of a property of an object that only records which properties are read.
    static func _traced(_ trace: _Trace) -> Self
    /// Whether programs hold the value of a property itself, as with lists, and not a copy.
    static var _isReference: Bool { get }
    /// Returns the value of an unmanaged property after an assignment.
    ///
    /// References keep their identity and take over the content.
    func _assigned(over old: Self?) -> Self
    /// Makes a reference represent the property of a managed object.
    func _becomeManaged(_ object: ObjectBase, _ index: Int)
}

extension _Persistable {
    /// Returns the value of a property without an initial value.
    public static func _traced(_ trace: _Trace) -> Self { _initial() }

    /// Returns `false`, because values are copies.
    @inlinable
    public static var _isReference: Bool { false }

    /// Returns the value itself.
    public func _assigned(over old: Self?) -> Self { self }

    /// Does nothing, because a value is read again on each access.
    public func _becomeManaged(_ object: ObjectBase, _ index: Int) {}
}

/// A type that can be an element of a ``List``, a ``MutableSet``, a ``Map`` or ``Results``.
///
/// Only the types of this module conform. To store your own types, use ``CustomPersistable`` or
/// ``PersistableEnum``.
public protocol RealmCollectionValue: Hashable {
    /// The type that is stored, which differs from the type itself for types of the program.
    associatedtype PersistedType: RealmCollectionValue
    where PersistedType.PersistedType.PersistedType == PersistedType.PersistedType
    /// The declaration of an element.
    static var _element: _PropertyDeclaration { get }
    /// Creates an element from its stored form.
    ///
    /// - Parameter realm: The realm to which links lead.
    static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Self
    /// Returns the stored form of an element.
    func _encode(_ links: _LinkEncoder) -> _StoredValue
    /// Converts a value of any type to an element, or returns `nil` if it has a different type.
    static func _element(from value: Any) -> Self?
    /// Returns a value that identifies the property from which it was read.
    ///
    /// The result is `nil` if there is none.
    static func _sample(_ trace: _Trace) -> Self?
}

/// A type of single values, which can be both a property and an element.
///
/// Properties are read and written through the coding of the element.
public protocol _SingleValue: _Persistable, RealmCollectionValue {}

extension _SingleValue {
    /// The declaration of the property.
    public static var _declaration: _PropertyDeclaration { _element }

    /// Returns the value of a property of a managed object.
    public static func _get(_ object: ObjectBase, _ index: Int) -> Self {
        _decode(_StoredValue(object.read(index)), in: object.realmReference)
    }

    /// Sets a property of a managed object, in a write transaction.
    public static func _set(_ object: ObjectBase, _ index: Int, to value: Self) {
        object.write(index, value)
    }

    /// Returns the stored form of the value of an object that is being added.
    public func _stored(_ links: _LinkEncoder) -> _StoredValue { _encode(links) }

    /// Converts a value of any type to this type, or returns `nil` if it has a different type.
    public static func _converted(_ value: Any) -> Self? { _element(from: value) }

    /// Returns the value of a property of an object that only records which properties are read.
    public static func _traced(_ trace: _Trace) -> Self {
        _sample(trace) ?? trace.initial as? Self ?? _initial()
    }
}

extension RealmCollectionValue {
    /// Converts a value of any type to an element, or returns `nil` if it has a different type.
    public static func _element(from value: Any) -> Self? { value as? Self }

    /// Returns `nil`, so that the initial value of the type is used.
    public static func _sample(_ trace: _Trace) -> Self? { nil }
}

/// A type of values whose optional can also be stored.
public protocol _OptionalCapable: RealmCollectionValue where PersistedType: _OptionalCapable {
    /// Returns the initial value of a property.
    static func _blank() -> Self
    /// Creates an element from its stored form, or returns `nil` if that has a different type.
    static func _decodeIfPossible(_ stored: _StoredValue, in realm: _RealmReference) -> Self?
    /// Returns the value of an optional property of a managed object.
    static func _getIfPresent(_ object: ObjectBase, _ index: Int) -> Self?
}

extension _OptionalCapable {
    /// Creates an element from its stored form.
    public static func _decodeIfPossible(
        _ stored: _StoredValue, in realm: _RealmReference
    ) -> Self? {
        _decode(stored, in: realm)
    }

    /// Returns the value of an optional property of a managed object.
    public static func _getIfPresent(_ object: ObjectBase, _ index: Int) -> Self? {
        Self?._decode(_StoredValue(object.read(index)), in: object.realmReference)
    }
}

extension _OptionalCapable where Self: _SingleValue {
    /// Returns the initial value of a property.
    public static func _blank() -> Self { _initial() }
}

extension Optional: RealmCollectionValue where Wrapped: _OptionalCapable {
    /// The type that is stored.
    public typealias PersistedType = Wrapped.PersistedType?

    /// The declaration of an element.
    public static var _element: _PropertyDeclaration { Wrapped._element.optional }

    /// Creates an element from its stored form.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Wrapped? {
        stored.value.isNull ? nil : Wrapped._decodeIfPossible(stored, in: realm)
    }

    /// Returns the stored form of an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue {
        self?._encode(links) ?? _StoredValue(.null)
    }

    /// Converts a value of any type to an element, or returns `nil` if it has a different type.
    public static func _element(from value: Any) -> Wrapped?? {
        // The common case, which is cheaper to check than the absence of a value.
        if type(of: value) == Wrapped.self, let value = value as? Wrapped { return .some(value) }
        if isNothing(value) { return .some(nil) }
        if let value = Wrapped._element(from: value) { return .some(value) }
        // A stored value without a case, or one that a custom type refuses, reads as nil, too.
        guard let custom = Wrapped.self as? any _CustomPersistable.Type else { return nil }
        return custom.canStore(value) ? .some(nil) : nil
    }
}

extension Optional: _Persistable where Wrapped: _OptionalCapable {}

extension Optional: _SingleValue where Wrapped: _OptionalCapable {
    /// Returns nil, the value of a property without an initial value.
    public static func _initial() -> Wrapped? { nil }

    /// Returns the value of a property of a managed object.
    @inlinable
    public static func _get(_ object: ObjectBase, _ index: Int) -> Wrapped? {
        Wrapped._getIfPresent(object, index)
    }
}

/// Returns a value of any type without enclosing optionals, or `nil` if there is no value.
func something(in value: Any) -> Any? {
    // A mirror and a cast take longer than the rest of a read.
    let type = type(of: value)
    if type == String.self || type == Int.self || type == Bool.self || type == Double.self
        || type == Date.self
    {
        return value
    }
    if type is NSNull.Type { return nil }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first.flatMap { something(in: $0.value) }
}

/// Returns whether a value of any type represents the absence of a value.
func isNothing(_ value: Any) -> Bool {
    // Compares the type, because casting the value would first create an object of Foundation.
    if type(of: value) is NSNull.Type { return true }
    return (value as? any OptionalValue)?.hasNoValue ?? false
}

/// Returns the content of an optional inside Any.
///
/// The result is `nil` if the optional is empty or the value is not an optional.
func contentOfOptional(_ value: Any) -> Any? { (value as? any OptionalValue)?.content }

private protocol OptionalValue {
    var hasNoValue: Bool { get }
    var content: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var hasNoValue: Bool { self == nil }
    fileprivate var content: Any? { self }
}
