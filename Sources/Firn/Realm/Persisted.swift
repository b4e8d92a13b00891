/// Declares a property of an ``Object`` or ``EmbeddedObject`` that is stored in the database.
///
///     class Person: Object {
///         @Persisted(primaryKey: true) var id: ObjectId
///         @Persisted(indexed: true) var name = ""
///         @Persisted var age: Int?
///         @Persisted var dogs: List<Dog>
///     }
///
/// Properties without it are not stored.
///
/// An object that was made with `init()` keeps its values itself; once it was added to a ``Realm``,
/// every access reads or writes the database.
@frozen
@propertyWrapper
public struct Persisted<Value: _Persistable> {
    /// Where the value is.
    @frozen
    @usableFromInline
    enum State {
        /// Nowhere yet: the value that the type begins with is made when it is asked for.
        case initial
        case unmanaged(Value)
        /// Nowhere: the object only writes down what is read of it.
        case recording(_Trace)
    }

    /// The place among the properties of the class if the value is in the database; else -1.
    ///
    /// The first field, so that whoever reads many objects can write it without knowing the type.
    @usableFromInline var place: Int
    /// Where the value is as long as it is not in the database.
    @usableFromInline var state: State
    /// What the declaration says besides the type.
    @usableFromInline let traits: _PersistedTraits

    // Inlinable, so that a class of another module makes its properties without looking up types.

    /// Declares a property that begins with zero, an empty string or collection, or nil.
    @inlinable
    public init() { self.init(.initial, _PersistedTraits()) }

    /// Declares a property with a value to begin with.
    @inlinable
    public init(wrappedValue: Value) { self.init(.unmanaged(wrappedValue), _PersistedTraits()) }

    @inlinable
    init(_ state: State, _ traits: _PersistedTraits) {
        place = -1
        self.state = state
        self.traits = traits
    }

    /// Only classes can have stored properties.
    @available(*, unavailable, message: "@Persisted is only for properties of classes")
    public var wrappedValue: Value {
        get { misuse("@Persisted is only for properties of classes") }
        set { misuse("@Persisted is only for properties of classes") }
    }

    /// The value of a property of an object.
    ///
    /// Inlined always and kept short, so that the key paths that the compiler passes vanish:
    /// applying one costs ten times as much as reading the value.
    @inlinable
    public static subscript<Enclosing: ObjectBase>(
        _enclosingInstance object: Enclosing,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<Enclosing, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<Enclosing, Persisted<Value>>
    ) -> Value {
        @inline(__always)
        get {
            let place = object[keyPath: storageKeyPath].place
            if place >= 0 { return Value._get(object, place) }
            // Reading changes nothing where there is a value already.
            if case .unmanaged(let value) = object[keyPath: storageKeyPath].state { return value }
            return object[keyPath: storageKeyPath].unmanagedValue()
        }
        @inline(__always)
        set {
            let place = object[keyPath: storageKeyPath].place
            if place >= 0 {
                Value._set(object, place, to: newValue)
            } else {
                object[keyPath: storageKeyPath].setUnmanaged(newValue)
            }
        }
    }

    /// The value of an object that is not in the database.
    @inlinable
    mutating func unmanagedValue() -> Value {
        switch state {
        case .unmanaged(let value): return value
        case .initial:
            let value = Value._initial()
            state = .unmanaged(value)
            return value
        case .recording(let trace): return trace.read(Value.self)
        }
    }

    /// Gives a property of an object that is not in the database another value.
    @inlinable
    mutating func setUnmanaged(_ value: Value) {
        switch state {
        case .unmanaged(let old) where Value._isReference:
            state = .unmanaged(value._assigned(over: old))
        case .initial where Value._isReference: state = .unmanaged(value._assigned(over: nil))
        case .unmanaged, .initial: state = .unmanaged(value)
        case .recording:
            misuse(
                "a key path changed the object that it was applied to: pass that of a "
                    + "persisted property")
        }
    }
}

/// What the declaration of a property says besides its type.
@frozen
public struct _PersistedTraits: Hashable, Sendable {
    @usableFromInline var isIndexed = false
    @usableFromInline var isPrimaryKey = false
    /// The property of the linking class, of an inverse.
    @usableFromInline var originProperty: String?

    @inlinable
    init(isIndexed: Bool = false, isPrimaryKey: Bool = false, originProperty: String? = nil) {
        self.isIndexed = isIndexed
        self.isPrimaryKey = isPrimaryKey
        self.originProperty = originProperty
    }
}

/// A type that searches can be made fast for.
public protocol _Indexable: _Persistable {}

/// A type that can be the primary key.
public protocol _PrimaryKey: _Persistable {}

extension Persisted where Value: _Indexable {
    /// Declares a property that is marked as indexed, which makes nothing faster yet.
    @inlinable
    public init(indexed: Bool) {
        self.init(.initial, _PersistedTraits(isIndexed: indexed))
    }

    /// Declares an indexed property with a value to begin with; nothing is faster by that yet.
    @inlinable
    public init(wrappedValue: Value, indexed: Bool) {
        self.init(.unmanaged(wrappedValue), _PersistedTraits(isIndexed: indexed))
    }
}

extension Persisted where Value: _PrimaryKey {
    /// Declares the property whose value no other object of the class has.
    @inlinable
    public init(primaryKey: Bool) {
        self.init(.initial, _PersistedTraits(isPrimaryKey: primaryKey))
    }

    /// Declares the property whose value no other object of the class has.
    @inlinable
    public init(wrappedValue: Value, primaryKey: Bool) {
        self.init(.unmanaged(wrappedValue), _PersistedTraits(isPrimaryKey: primaryKey))
    }
}

/// A key of a map or another value that is a link back to its sources, with their property.
public protocol _LinkingObjects: _Persistable {}

extension Persisted where Value: _LinkingObjects {
    /// Declares the inverse of a link property.
    ///
    /// - Parameter originProperty: the property of the other class that leads here.
    public init(originProperty: String) {
        self.init(.initial, _PersistedTraits(originProperty: originProperty))
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
