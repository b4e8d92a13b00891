import FirnValues

/// A type of the program that is stored as another type.
///
/// This is the common protocol of ``CustomPersistable``, ``FailableCustomPersistable`` and
/// ``PersistableEnum``.
public protocol _CustomPersistable: _SingleValue, _OptionalCapable, SortableType, MinMaxType {
    /// Returns the value that corresponds to a stored value, or `nil` if there is none.
    static func _make(_ persisted: PersistedType) -> Self?
    /// The value that is stored.
    var _persisted: PersistedType { get }
}

/// A type that is stored as another type, and that can be created from every stored value.
///
///     struct Celsius: CustomPersistable {
///         var degrees: Double
///         init(persistedValue: Double) { degrees = persistedValue }
///         var persistableValue: Double { degrees }
///     }
///
///     class Day: Object {
///         @Persisted var high: Celsius
///         @Persisted var hours: List<Celsius>
///     }
///
/// The stored type is a number, a string, a date or another storable type, or an
/// ``EmbeddedObject``. Queries, sorting and the `firn` command operate on the stored values.
public protocol CustomPersistable: _CustomPersistable {
    /// The type that is stored.
    associatedtype PersistedType
    /// Creates the value from a stored value.
    init(persistedValue: PersistedType)
    /// The value that is stored.
    var persistableValue: PersistedType { get }
}

/// A type that is stored as another type, and that cannot be created from some stored values.
///
///     extension URL: FailableCustomPersistable {
///         public init?(persistedValue: String) { self.init(string: persistedValue) }
///         public var persistableValue: String { absoluteString }
///     }
///
/// If the initializer returns `nil`, an optional property or element reads as nil. Reading a
/// property or element that is not optional stops the program.
public protocol FailableCustomPersistable: _CustomPersistable {
    /// The type that is stored.
    associatedtype PersistedType
    /// Creates the value from a stored value, or returns `nil` if no value corresponds to it.
    init?(persistedValue: PersistedType)
    /// The value that is stored.
    var persistableValue: PersistedType { get }
}

extension CustomPersistable {
    /// Returns the value that corresponds to a stored value.
    public static func _make(_ persisted: PersistedType) -> Self? {
        Self(persistedValue: persisted)
    }

    /// The value that is stored.
    public var _persisted: PersistedType { persistableValue }
}

extension FailableCustomPersistable {
    /// Returns the value that corresponds to a stored value, or `nil` if there is none.
    public static func _make(_ persisted: PersistedType) -> Self? {
        Self(persistedValue: persisted)
    }

    /// The value that is stored.
    public var _persisted: PersistedType { persistableValue }
}

extension _CustomPersistable {
    /// The declaration of an element, which is the declaration of the stored type.
    public static var _element: _PropertyDeclaration { PersistedType._element }

    /// Returns the value that corresponds to the initial value of the stored type.
    public static func _initial() -> Self {
        guard let value = _make(PersistedType._blank()) else {
            misuse(
                "a property of type \(Self.self) needs an initial value: what \(PersistedType.self) "
                    + "begins with is not of type \(Self.self)")
        }
        return value
    }

    /// Creates an element from its stored form.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Self {
        if stored.value.isNull { return _initial() }
        guard let value = _decodeIfPossible(stored, in: realm) else {
            misuse(
                "\(stored.value) is not of type \(Self.self): make what holds it optional, to read nil then"
            )
        }
        return value
    }

    /// Creates an element from its stored form, or returns `nil` if no value corresponds to it.
    public static func _decodeIfPossible(
        _ stored: _StoredValue, in realm: _RealmReference
    ) -> Self? {
        _make(PersistedType._decode(stored, in: realm))
    }

    /// Returns the stored form of an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _persisted._encode(links) }

    /// Returns whether a value has the stored type, even if no value corresponds to it.
    static func canStore(_ value: Any) -> Bool { PersistedType._element(from: value) != nil }

    /// Converts a value of this or the stored type, or returns `nil` if it has a different type.
    public static func _element(from value: Any) -> Self? {
        if let value = value as? Self { return value }
        return PersistedType._element(from: value).flatMap { _make($0) }
    }
}

extension Persisted where Value: _CustomPersistable, Value.PersistedType: _Indexable {
    /// Declares a property with an index, which speeds up finding objects by value.
    public init(indexed: Bool) {
        self.init(.initial, indexed ? .indexed : [])
    }

    /// Declares a property with an index and an initial value.
    public init(wrappedValue: Value, indexed: Bool) {
        self.init(.unmanaged(wrappedValue), indexed ? .indexed : [])
    }
}

extension Persisted where Value: _CustomPersistable, Value.PersistedType: _PrimaryKey {
    /// Declares the primary key, whose value is unique among the objects of the class.
    public init(primaryKey: Bool) {
        self.init(.initial, primaryKey ? .primaryKey : [])
    }

    /// Declares the primary key, whose value is unique among the objects of the class.
    public init(wrappedValue: Value, primaryKey: Bool) {
        self.init(.unmanaged(wrappedValue), primaryKey ? .primaryKey : [])
    }
}

extension Persisted {
    /// Declares a property with an index, which speeds up finding objects by value.
    public init<Wrapped: _CustomPersistable>(indexed: Bool)
    where Value == Wrapped?, Wrapped.PersistedType: _Indexable {
        self.init(.initial, indexed ? .indexed : [])
    }

    /// Declares a property with an index and an initial value.
    public init<Wrapped: _CustomPersistable>(wrappedValue: Wrapped?, indexed: Bool)
    where Value == Wrapped?, Wrapped.PersistedType: _Indexable {
        self.init(.unmanaged(wrappedValue), indexed ? .indexed : [])
    }

    /// Declares the primary key, whose value is unique among the objects of the class.
    public init<Wrapped: _CustomPersistable>(primaryKey: Bool)
    where Value == Wrapped?, Wrapped.PersistedType: _PrimaryKey {
        self.init(.initial, primaryKey ? .primaryKey : [])
    }

    /// Declares the primary key, whose value is unique among the objects of the class.
    public init<Wrapped: _CustomPersistable>(wrappedValue: Wrapped?, primaryKey: Bool)
    where Value == Wrapped?, Wrapped.PersistedType: _PrimaryKey {
        self.init(.unmanaged(wrappedValue), primaryKey ? .primaryKey : [])
    }
}
