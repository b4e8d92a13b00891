/// Declares a property of a ``Projection``: what a key path of its object leads to.
///
///     class PersonProjection: Projection<Person> {
///         @Projected(\Person.firstName) var firstName
///         @Projected(\Person.address?.city) var homeCity
///     }
@propertyWrapper
public struct Projected<T: ObjectBase & RealmCollectionValue & ThreadConfined, Value> {
    private let keyPath: KeyPath<T, Value>

    /// Shows what a key path leads to.
    ///
    /// - Parameter projectedKeyPath: of a persisted property. Links and computed properties may
    ///   follow.
    public init(_ projectedKeyPath: KeyPath<T, Value>) { keyPath = projectedKeyPath }

    /// Only classes can have projected properties.
    @available(*, unavailable, message: "@Projected is only for properties of projections")
    public var wrappedValue: Value {
        get { misuse("@Projected is only for properties of projections") }
        set { misuse("@Projected is only for properties of projections") }
    }

    /// The value of a property of a projection: that of its object.
    ///
    /// Setting one whose key path can only be read stops the program.
    public static subscript<Enclosing: Projection<T>>(
        _enclosingInstance projection: Enclosing,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<Enclosing, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<Enclosing, Projected>
    ) -> Value {
        get { projection.rootObject[keyPath: projection[keyPath: storageKeyPath].keyPath] }
        set {
            let keyPath = projection[keyPath: storageKeyPath].keyPath
            guard let writable = keyPath as? ReferenceWritableKeyPath<T, Value> else {
                misuse(
                    "\(keyPath) of \(type(of: projection)) can only be read: set the property of "
                        + "the rootObject")
            }
            projection.rootObject[keyPath: writable] = newValue
        }
    }
}

/// A projected property, whatever its type is.
protocol _ProjectedProperty {
    var _origins: [String] { get }
    var _observedOrigins: [String] { get }
    func _value(of root: ObjectBase) -> Any
}

extension Projected: _ProjectedProperty {
    var _origins: [String] { KeyPathNames.origins(of: keyPath) }

    var _observedOrigins: [String] { KeyPathNames.observedOrigins(of: keyPath) }

    func _value(of root: ObjectBase) -> Any {
        guard let root = root as? T else { misuse("a projection of another class") }
        return root[keyPath: keyPath]
    }
}
