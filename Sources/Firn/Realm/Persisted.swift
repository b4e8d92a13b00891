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
        /// No value.
        ///
        /// The object only records which properties are read.
        case recording(_Trace)
    }

    /// The index among the properties of the class if the value is in the database, otherwise -1.
    ///
    /// This is the first field, so that code that reads many objects can set it without knowing the
    /// type.
    @usableFromInline var index: Int
    /// The value while it is not in the database.
    @usableFromInline var state: State
    /// The parts of the declaration besides the type.
    @usableFromInline let traits: _PersistedTraits

    // Inlinable, so that a class of another module creates its properties without looking up types.

    /// Declares a property whose initial value is zero, empty or nil.
    @inlinable
    public init() { self.init(.initial, _PersistedTraits()) }

    /// Declares a property with an initial value.
    @inlinable
    public init(wrappedValue: Value) { self.init(.unmanaged(wrappedValue), _PersistedTraits()) }

    @inlinable
    init(_ state: State, _ traits: _PersistedTraits) {
        index = -1
        self.state = state
        self.traits = traits
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
            if index >= 0 { return Value._get(object, index) }
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
        case .unmanaged(let value): return value
        case .initial:
            let value = Value._initial()
            state = .unmanaged(value)
            return value
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
        case .unmanaged, .initial: state = .unmanaged(value)
        case .recording:
            misuse(
                "a key path changed the object that it was applied to: pass that of a "
                    + "persisted property")
        }
    }
}

/// The parts of a property declaration besides its type.
@frozen
public struct _PersistedTraits: Hashable, Sendable {
    @usableFromInline var isIndexed = false
    @usableFromInline var isPrimaryKey = false
    /// The property of the linking class, for an inverse.
    @usableFromInline var originProperty: String?

    @inlinable
    init(isIndexed: Bool = false, isPrimaryKey: Bool = false, originProperty: String? = nil) {
        self.isIndexed = isIndexed
        self.isPrimaryKey = isPrimaryKey
        self.originProperty = originProperty
    }
}

/// A type whose properties can be indexed.
public protocol _Indexable: _Persistable {}

/// A type that can be used for the primary key.
public protocol _PrimaryKey: _Persistable {}

extension Persisted where Value: _Indexable {
    /// Declares a property that is marked as indexed, which does not yet make searches faster.
    @inlinable
    public init(indexed: Bool) {
        self.init(.initial, _PersistedTraits(isIndexed: indexed))
    }

    /// Declares an indexed property with an initial value, which does not yet make searches faster.
    @inlinable
    public init(wrappedValue: Value, indexed: Bool) {
        self.init(.unmanaged(wrappedValue), _PersistedTraits(isIndexed: indexed))
    }
}

extension Persisted where Value: _PrimaryKey {
    /// Declares the primary key, whose value is unique among the objects of the class.
    @inlinable
    public init(primaryKey: Bool) {
        self.init(.initial, _PersistedTraits(isPrimaryKey: primaryKey))
    }

    /// Declares the primary key, whose value is unique among the objects of the class.
    @inlinable
    public init(wrappedValue: Value, primaryKey: Bool) {
        self.init(.unmanaged(wrappedValue), _PersistedTraits(isPrimaryKey: primaryKey))
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
