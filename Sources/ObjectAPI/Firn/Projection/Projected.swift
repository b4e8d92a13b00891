import FirnValues

/// A property wrapper that declares a property of a ``Projection`` by a key path of its object.
///
///     class PersonProjection: Projection<Person> {
///         @Projected(\Person.firstName) var firstName
///         @Projected(\Person.address?.city) var homeCity
///     }
@propertyWrapper
public struct Projected<T: ObjectBase & RealmCollectionValue & ThreadConfined, Value> {
    private let keyPath: KeyPath<T, Value>

    /// Creates a property that shows the value of a key path.
    ///
    /// - Parameter projectedKeyPath: The key path of a persisted property, optionally across links
    ///   or followed by computed properties.
    public init(_ projectedKeyPath: KeyPath<T, Value>) { keyPath = projectedKeyPath }

    /// Unavailable, because only properties of classes can be projected.
    @available(*, unavailable, message: "@Projected is only for properties of projections")
    public var wrappedValue: Value {
        get { misuse("@Projected is only for properties of projections") }
        set { misuse("@Projected is only for properties of projections") }
    }

    /// Accesses the value of a property of a projection, which is the value of the property of its
    /// object.
    ///
    /// The program stops if a property with a read-only key path is set.
    public static subscript<Enclosing: Projection<T>>(
        _enclosingInstance projection: Enclosing,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<Enclosing, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<Enclosing, Projected>
    ) -> Value {
        get { projection.rootObject[keyPath: projection[keyPath: storageKeyPath].keyPath] }
        set {
            let keyPath = projection[keyPath: storageKeyPath].keyPath
            guard let writable = keyPath as? ReferenceWritableKeyPath<T, Value> else {
                let property = ProjectionLayout.of(projection).properties.first {
                    $0.projected._keyPath == keyPath
                }
                let origins = (property?.origins ?? []).map { "\(T.className()).\($0)" }
                misuse(
                    "\(type(of: projection)).\(property?.label ?? "") can only be read, because it "
                        + "shows \(origins.joined(separator: " and ")) through a computed property or "
                        + "an optional: set the property of the rootObject")
            }
            projection.rootObject[keyPath: writable] = newValue
        }
    }
}

/// A projected property of any type.
protocol _ProjectedProperty {
    var _keyPath: AnyKeyPath { get }
    var _origins: [String] { get }
    var _observedOrigins: [String] { get }
    func _value(of root: ObjectBase) -> Any
}

extension Projected: _ProjectedProperty {
    var _keyPath: AnyKeyPath { keyPath }

    var _origins: [String] { KeyPathNames.origins(of: keyPath) }

    var _observedOrigins: [String] { KeyPathNames.observedOrigins(of: keyPath) }

    func _value(of root: ObjectBase) -> Any {
        guard let root = root as? T else { misuse("a projection of another class") }
        return root[keyPath: keyPath]
    }
}
