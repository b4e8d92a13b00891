import FirnValues

/// A property wrapper that stores a property of an object in the database.
///
///     class Person: Object {
///         @Persisted(primaryKey: true) var id: ObjectId
///         @Persisted(indexed: true) var name = ""
///         @Persisted var age: Int?
///         @Persisted var dogs: List<Dog>
///     }
///
/// Properties of an ``Object`` or ``EmbeddedObject`` without this wrapper are not stored.
///
/// An object that was created with `init()` holds its values itself. Once it has been added to a
/// ``Realm``, every access reads or writes the database.
@frozen
@propertyWrapper
public struct Persisted<Value: _Persistable> {
    /// The storage of the value outside the database.
    @frozen
    @usableFromInline
    enum State {
        /// No value yet.
        ///
        /// The initial value of the type is created on first access.
        case initial
        case unmanaged(Value)
        /// The collection that represents the property of an object in the database, so that each
        /// access returns the same one.
        case kept(Value)
        /// An inverse, which is empty outside of a realm.
        case inverse(_InverseOrigin)
        /// No value.
        ///
        /// The object only records which properties are read.
        case recording(_Trace)
    }

    // Every object contains all of this for each property: an Int takes 16 bytes.
    //
    //     state   the value, and which case it is        9 for an Int, 16 for a String, 8 for a link
    //     marks   1 byte
    //     number  4 bytes, aligned

    /// The value while it is not in the database, or a collection.
    @usableFromInline var state: State
    /// The marks of the declaration.
    @usableFromInline let marks: _PersistedMarks
    /// The index among the properties of the class if the value is in the database, otherwise -1.
    @usableFromInline var number: Int32

    // Inlinable, so that a class of another module creates its properties without looking up types.

    /// Declares a property whose initial value is zero, empty or nil.
    @inlinable
    public init() { self.init(.initial, []) }

    /// Declares a property with an initial value.
    @inlinable
    public init(wrappedValue: Value) { self.init(.unmanaged(wrappedValue), []) }

    @inlinable
    init(_ state: State, _ marks: _PersistedMarks) {
        self.state = state
        self.marks = marks
        number = -1
    }

    /// The index among the properties of the class if the value is in the database, otherwise -1.
    @inlinable var index: Int { Int(number) }

    /// The parts of the declaration besides the type.
    var traits: PersistedTraits {
        var traits = PersistedTraits(
            isIndexed: marks.contains(.indexed), isPrimaryKey: marks.contains(.primaryKey))
        if case .inverse(let origin) = state { traits.originProperty = origin.property }
        return traits
    }

    /// Unavailable, because only properties of classes can be stored.
    @available(*, unavailable, message: "@Persisted is only for properties of classes")
    public var wrappedValue: Value {
        get { misuse("@Persisted is only for properties of classes") }
        set { misuse("@Persisted is only for properties of classes") }
    }

    /// Accesses the value of a property of an object.
    ///
    /// The accessors are always inlined and kept short, so that the compiler removes the key paths.
    /// Applying a key path costs ten times as much as reading the value.
    @inlinable
    public static subscript<Enclosing: ObjectBase>(
        _enclosingInstance object: Enclosing,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<Enclosing, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<Enclosing, Persisted<Value>>
    ) -> Value {
        @inline(__always)
        get {
            let index = object[keyPath: storageKeyPath].index
            if index >= 0 {
                guard Value._isReference else { return Value._get(object, index) }
                if case .kept(let value) = object[keyPath: storageKeyPath].state { return value }
                let value = Value._get(object, index)
                // Several threads read a frozen object.
                if !object.isFrozen { object[keyPath: storageKeyPath].state = .kept(value) }
                return value
            }
            // Reading an existing value changes nothing.
            if case .unmanaged(let value) = object[keyPath: storageKeyPath].state { return value }
            return object[keyPath: storageKeyPath].unmanagedValue()
        }
        @inline(__always)
        set {
            let index = object[keyPath: storageKeyPath].index
            if index >= 0 {
                Value._set(object, index, to: newValue)
            } else {
                object[keyPath: storageKeyPath].setUnmanaged(newValue)
            }
        }
    }

    /// Returns the value of an object that is not in the database.
    @inlinable
    mutating func unmanagedValue() -> Value {
        switch state {
        case .unmanaged(let value), .kept(let value): return value
        case .initial:
            let value = Value._initial()
            state = .unmanaged(value)
            return value
        case .inverse: return Value._initial()
        case .recording(let trace): return trace.read(Value.self)
        }
    }

    /// Sets a property of an object that is not in the database.
    @inlinable
    mutating func setUnmanaged(_ value: Value) {
        switch state {
        case .unmanaged(let old) where Value._isReference:
            state = .unmanaged(value._assigned(over: old))
        case .initial where Value._isReference: state = .unmanaged(value._assigned(over: nil))
        case .unmanaged, .kept, .initial, .inverse: state = .unmanaged(value)
        case .recording:
            misuse(
                "a key path changed the object that it was applied to: pass that of a "
                    + "persisted property")
        }
    }
}

/// The marks of a property declaration.
@frozen
public struct _PersistedMarks: OptionSet, Sendable {
    /// The marks as bits.
    public let rawValue: UInt8

    /// Creates marks from bits.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable static var indexed: Self { Self(rawValue: 1) }
    @inlinable static var primaryKey: Self { Self(rawValue: 2) }
}

/// The property of the linking class, for an inverse.
public final class _InverseOrigin: Sendable {
    let property: String

    init(_ property: String) { self.property = property }
}

/// The parts of a property declaration besides its type.
struct PersistedTraits: Hashable, Sendable {
    var isIndexed = false
    var isPrimaryKey = false
    /// The property of the linking class, for an inverse.
    var originProperty: String?
}

/// A type whose properties can be indexed.
public protocol _Indexable: _Persistable {}

/// A type that can be used for the primary key.
public protocol _PrimaryKey: _Persistable {}

extension Persisted where Value: _Indexable {
    /// Declares a property with an index, which speeds up finding objects by value.
    @inlinable
    public init(indexed: Bool) {
        self.init(.initial, indexed ? .indexed : [])
    }

    /// Declares a property with an index and an initial value.
    @inlinable
    public init(wrappedValue: Value, indexed: Bool) {
        self.init(.unmanaged(wrappedValue), indexed ? .indexed : [])
    }
}

extension Persisted where Value: _PrimaryKey {
    /// Declares the primary key, whose value is unique among the objects of the class.
    @inlinable
    public init(primaryKey: Bool) {
        self.init(.initial, primaryKey ? .primaryKey : [])
    }

    /// Declares the primary key, whose value is unique among the objects of the class.
    @inlinable
    public init(wrappedValue: Value, primaryKey: Bool) {
        self.init(.unmanaged(wrappedValue), primaryKey ? .primaryKey : [])
    }
}

/// A type that represents the inverse of a link property.
public protocol _LinkingObjects: _Persistable {}

extension Persisted where Value: _LinkingObjects {
    /// Declares the inverse of a link property.
    ///
    /// - Parameter originProperty: The name of the property of the other class that links to this
    ///   class.
    public init(originProperty: String) {
        self.init(.inverse(_InverseOrigin(originProperty)), [])
    }
}

extension Bool: _Indexable, _PrimaryKey {}
extension Int: _Indexable, _PrimaryKey {}
extension Int8: _Indexable, _PrimaryKey {}
extension Int16: _Indexable, _PrimaryKey {}
extension Int32: _Indexable, _PrimaryKey {}
extension Int64: _Indexable, _PrimaryKey {}
extension String: _Indexable, _PrimaryKey {}
extension Optional: _Indexable where Wrapped: _OptionalCapable & _Indexable {}
extension Optional: _PrimaryKey where Wrapped: _OptionalCapable & _PrimaryKey {}
