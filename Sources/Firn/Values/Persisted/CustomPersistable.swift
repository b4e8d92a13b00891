import FirnValues

/// A type of the program that is stored as another: what ``CustomPersistable``,
/// ``FailableCustomPersistable`` and ``PersistableEnum`` have in common.
public protocol _CustomPersistable: _SingleValue, _OptionalCapable, SortableType, MinMaxType {
    /// The type that is stored.
    associatedtype PersistedType: _OptionalCapable
    /// The value that a stored one stands for; `nil` if it stands for none.
    static func _make(_ persisted: PersistedType) -> Self?
    /// What is stored.
    var _persisted: PersistedType { get }
}

/// A type of the program that is stored as another, of which every value has a meaning.
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
/// The stored type is a number, a string, a date and so on, or an ``EmbeddedObject``. Queries,
/// sorting and the `firn` command see the stored values.
public protocol CustomPersistable: _CustomPersistable {
    /// The type that is stored.
    associatedtype PersistedType
    /// Makes the value of what was stored.
    init(persistedValue: PersistedType)
    /// What is stored.
    var persistableValue: PersistedType { get }
}

/// A type of the program that is stored as another, of which not every value has a meaning.
///
///     extension URL: FailableCustomPersistable {
///         public init?(persistedValue: String) { self.init(string: persistedValue) }
///         public var persistableValue: String { absoluteString }
///     }
///
/// A stored value without a meaning reads as nil where the property or element is optional; where it
/// is not, reading it stops the program.
public protocol FailableCustomPersistable: _CustomPersistable {
    /// The type that is stored.
    associatedtype PersistedType
    /// Makes the value of what was stored; `nil` if that means nothing.
    init?(persistedValue: PersistedType)
    /// What is stored.
    var persistableValue: PersistedType { get }
}

extension CustomPersistable {
    /// The value that a stored one stands for.
    public static func _make(_ persisted: PersistedType) -> Self? {
        Self(persistedValue: persisted)
    }

    /// What is stored.
    public var _persisted: PersistedType { persistableValue }
}

extension FailableCustomPersistable {
    /// The value that a stored one stands for; `nil` if it stands for none.
    public static func _make(_ persisted: PersistedType) -> Self? {
        Self(persistedValue: persisted)
    }

    /// What is stored.
    public var _persisted: PersistedType { persistableValue }
}

extension _CustomPersistable {
    /// What an element is declared as: as the stored type.
    public static var _element: _PropertyDeclaration { PersistedType._element }

    /// The value of a property without an initial value: what the stored type begins with.
    public static func _initial() -> Self {
        guard let value = _make(PersistedType._blank()) else {
            misuse(
                "a property of type \(Self.self) needs an initial value: what \(PersistedType.self) "
                    + "begins with is no \(Self.self)")
        }
        return value
    }

    /// Makes an element of what the database has.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Self {
        if stored.value.isNull { return _initial() }
        guard let value = _decodeIfPossible(stored, in: realm) else {
            misuse(
                "\(stored.value) is no \(Self.self): make what holds it optional, to read nil then")
        }
        return value
    }

    /// Makes an element of what the database has; `nil` if that means nothing.
    public static func _decodeIfPossible(
        _ stored: _StoredValue, in realm: _RealmReference
    ) -> Self? {
        _make(PersistedType._decode(stored, in: realm))
    }

    /// What the database stores for an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { _persisted._encode(links) }

    /// Makes of a value of this type, or of a stored one, an element; `nil` if it is of another kind.
    public static func _element(from value: Any) -> Self? {
        if let value = value as? Self { return value }
        return PersistedType._element(from: value).flatMap { _make($0) }
    }
}

extension Persisted where Value: _CustomPersistable, Value.PersistedType: _Indexable {
    /// Declares a property that is marked as indexed, which makes nothing faster yet.
    public init(indexed: Bool) {
        self.init(.initial, _PersistedTraits(isIndexed: indexed))
    }

    /// Declares an indexed property with a value to begin with; nothing is faster by that yet.
    public init(wrappedValue: Value, indexed: Bool) {
        self.init(.unmanaged(wrappedValue), _PersistedTraits(isIndexed: indexed))
    }
}

extension Persisted where Value: _CustomPersistable, Value.PersistedType: _PrimaryKey {
    /// Declares the property whose value no other object of the class has.
    public init(primaryKey: Bool) {
        self.init(.initial, _PersistedTraits(isPrimaryKey: primaryKey))
    }

    /// Declares the property whose value no other object of the class has.
    public init(wrappedValue: Value, primaryKey: Bool) {
        self.init(.unmanaged(wrappedValue), _PersistedTraits(isPrimaryKey: primaryKey))
    }
}

extension Persisted {
    /// Declares a property that is marked as indexed, which makes nothing faster yet.
    public init<Wrapped: _CustomPersistable>(indexed: Bool)
    where Value == Wrapped?, Wrapped.PersistedType: _Indexable {
        self.init(.initial, _PersistedTraits(isIndexed: indexed))
    }

    /// Declares an indexed property with a value to begin with; nothing is faster by that yet.
    public init<Wrapped: _CustomPersistable>(wrappedValue: Wrapped?, indexed: Bool)
    where Value == Wrapped?, Wrapped.PersistedType: _Indexable {
        self.init(.unmanaged(wrappedValue), _PersistedTraits(isIndexed: indexed))
    }

    /// Declares the property whose value no other object of the class has.
    public init<Wrapped: _CustomPersistable>(primaryKey: Bool)
    where Value == Wrapped?, Wrapped.PersistedType: _PrimaryKey {
        self.init(.initial, _PersistedTraits(isPrimaryKey: primaryKey))
    }

    /// Declares the property whose value no other object of the class has.
    public init<Wrapped: _CustomPersistable>(wrappedValue: Wrapped?, primaryKey: Bool)
    where Value == Wrapped?, Wrapped.PersistedType: _PrimaryKey {
        self.init(.unmanaged(wrappedValue), _PersistedTraits(isPrimaryKey: primaryKey))
    }
}
