import FirnValues
import Foundation

/// A type that a property can have with ``Persisted``.
///
/// Only the types of this module conform: numbers, strings, dates, objects and so on, optionals and
/// collections of them. Own types take part through ``CustomPersistable`` and ``PersistableEnum``.
public protocol _Persistable: SendableMetatype {
    /// What the property is declared as.
    static var _declaration: _PropertyDeclaration { get }
    /// The value of a property without an initial value.
    static func _initial() -> Self
    /// The value of a property of a managed object.
    static func _get(_ object: ObjectBase, _ place: Int) -> Self
    /// Gives a property of a managed object another value, in a write transaction.
    static func _set(_ object: ObjectBase, _ place: Int, to value: Self)
    /// What the database stores for a value of an object that is being added.
    func _stored(_ links: _LinkEncoder) -> _StoredValue
    /// Makes of a value that was read out of a dictionary, an array or another object a value of
    /// this type; `nil` if it is of another kind.
    static func _converted(_ value: Any) -> Self?
    /// What a property of an object gives that only writes down what is read of it.
    static func _traced(_ trace: _Trace) -> Self
    /// Whether programs hold the value of a property itself, as they hold lists, and not a copy.
    static var _isReference: Bool { get }
    /// What an unmanaged property has after it was given this value; for references, which keep
    /// their identity and take over the content.
    func _assigned(over old: Self?) -> Self
    /// From now on this stands for the property of a managed object; for references.
    func _becomeManaged(_ object: ObjectBase, _ place: Int)
}

extension _Persistable {
    /// The value of a property without an initial value.
    public static func _traced(_ trace: _Trace) -> Self { _initial() }

    /// Values are copies.
    @inlinable
    public static var _isReference: Bool { false }

    /// The value itself.
    public func _assigned(over old: Self?) -> Self { self }

    /// Nothing: a value is read anew each time.
    public func _becomeManaged(_ object: ObjectBase, _ place: Int) {}
}

/// A type that can be an element of a ``List``, a ``MutableSet``, a ``Map`` or ``Results``.
///
/// Only the types of this module conform. Own types take part through ``CustomPersistable`` and
/// ``PersistableEnum``.
public protocol RealmCollectionValue: Hashable {
    /// What an element is declared as.
    static var _element: _PropertyDeclaration { get }
    /// Makes an element of what the database has.
    ///
    /// - Parameter realm: where links lead to.
    static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Self
    /// What the database stores for an element.
    func _encode(_ links: _LinkEncoder) -> _StoredValue
    /// Makes of a value of any type an element; `nil` if it is of another kind.
    static func _element(from value: Any) -> Self?
    /// A value by which a property that gave it can be told from others; `nil` if there is none.
    static func _sample(_ trace: _Trace) -> Self?
}

/// A type of single values: what can be a property and an element.
///
/// Properties are read and written through the element's coding.
public protocol _SingleValue: _Persistable, RealmCollectionValue {}

extension _SingleValue {
    /// What the property is declared as.
    public static var _declaration: _PropertyDeclaration { _element }

    /// The value of a property of a managed object.
    public static func _get(_ object: ObjectBase, _ place: Int) -> Self {
        _decode(_StoredValue(object.read(place)), in: object.realmReference)
    }

    /// Gives a property of a managed object another value, in a write transaction.
    public static func _set(_ object: ObjectBase, _ place: Int, to value: Self) {
        object.write(place, value)
    }

    /// What the database stores for a value of an object that is being added.
    public func _stored(_ links: _LinkEncoder) -> _StoredValue { _encode(links) }

    /// Makes of a value of any type one of this; `nil` if it is of another kind.
    public static func _converted(_ value: Any) -> Self? { _element(from: value) }

    /// What a property of an object gives that only writes down what is read of it.
    public static func _traced(_ trace: _Trace) -> Self {
        _sample(trace) ?? trace.initial as? Self ?? _initial()
    }
}

extension RealmCollectionValue {
    /// Makes of a value of any type an element; `nil` if it is of another kind.
    public static func _element(from value: Any) -> Self? { value as? Self }

    /// None: the initial value of the type must do.
    public static func _sample(_ trace: _Trace) -> Self? { nil }
}

/// A type of values whose optional can be stored, too.
public protocol _OptionalCapable: RealmCollectionValue {
    /// The value that a property begins with.
    static func _blank() -> Self
    /// Makes an element of what the database has; `nil` if that is no value of this type.
    static func _decodeIfPossible(_ stored: _StoredValue, in realm: _RealmReference) -> Self?
    /// The value of a property of a managed object that may be nil.
    static func _getIfPresent(_ object: ObjectBase, _ place: Int) -> Self?
}

extension _OptionalCapable {
    /// Makes an element of what the database has.
    public static func _decodeIfPossible(
        _ stored: _StoredValue, in realm: _RealmReference
    ) -> Self? {
        _decode(stored, in: realm)
    }

    /// The value of a property of a managed object that may be nil.
    public static func _getIfPresent(_ object: ObjectBase, _ place: Int) -> Self? {
        Self?._decode(_StoredValue(object.read(place)), in: object.realmReference)
    }
}

extension _OptionalCapable where Self: _SingleValue {
    /// The value that a property begins with.
    public static func _blank() -> Self { _initial() }
}

extension Optional: RealmCollectionValue where Wrapped: _OptionalCapable {
    /// What an element is declared as.
    public static var _element: _PropertyDeclaration { Wrapped._element.optional }

    /// Makes an element of what the database has.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Wrapped? {
        stored.value.isNull ? nil : Wrapped._decodeIfPossible(stored, in: realm)
    }

    /// What the database stores for an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue {
        self?._encode(links) ?? _StoredValue(.null)
    }

    /// Makes of a value of any type an element; `nil` if it is of another kind.
    public static func _element(from value: Any) -> Wrapped?? {
        // Mostly it is that: whether there is nothing takes longer to find out.
        if type(of: value) == Wrapped.self, let value = value as? Wrapped { return .some(value) }
        if isNothing(value) { return .some(nil) }
        return Wrapped._element(from: value).map { .some($0) }
    }
}

extension Optional: _Persistable where Wrapped: _OptionalCapable {}

extension Optional: _SingleValue where Wrapped: _OptionalCapable {
    /// The value of a property without an initial value.
    public static func _initial() -> Wrapped? { nil }

    /// The value of a property of a managed object.
    @inlinable
    public static func _get(_ object: ObjectBase, _ place: Int) -> Wrapped? {
        Wrapped._getIfPresent(object, place)
    }
}

/// A value of any type without the optional that it may be in; `nil` for the absence of a value.
func something(in value: Any) -> Any? {
    if value is NSNull { return nil }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first.flatMap { something(in: $0.value) }
}

/// Whether a value of any type is the absence of a value.
func isNothing(_ value: Any) -> Bool {
    // Of the type: the cast of a value makes an object of Foundation of it first.
    if type(of: value) is NSNull.Type { return true }
    return (value as? any OptionalValue)?.hasNoValue ?? false
}

/// What an optional that is known as Any has; `nil` if it has nothing, and of all other values.
func contentOfOptional(_ value: Any) -> Any? { (value as? any OptionalValue)?.content }

private protocol OptionalValue {
    var hasNoValue: Bool { get }
    var content: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var hasNoValue: Bool { self == nil }
    fileprivate var content: Any? { self }
}
