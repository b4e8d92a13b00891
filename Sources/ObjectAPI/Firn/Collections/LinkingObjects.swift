import FirnValues

/// The objects that link to an object through one property: the inverse of that property.
///
///     class Dog: Object {
///         @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
///     }
///
/// The collection cannot be changed directly. It follows the links. An object that links several
/// times appears as often. The order of the objects is unspecified. The inverse of an unmanaged
/// object is empty.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection {
    let core: _CollectionCore?
    /// The element at every position, if this only records key paths.
    private var recorded: Element?

    init(_ core: _CollectionCore?) { self.core = core }

    /// Creates an inverse by hand.
    ///
    /// Properties use ``Persisted/init(originProperty:)`` instead.
    ///
    /// - Parameters:
    ///   - fromType: The linking class.
    ///   - property: The link property of that class.
    public init(fromType _: Element.Type, property _: String) { core = nil }

    /// The core of the collection in a realm, or `nil` for an unmanaged object.
    public var _core: _CollectionCore? { core }

    /// An empty array, because nothing links to an unmanaged object.
    public var _unmanaged: [Element] { recorded.map { [$0] } ?? [] }

    /// Returns the inverse of a managed object.
    public static func _make(_ core: _CollectionCore) -> LinkingObjects { LinkingObjects(core) }

    /// Accesses the object at a position, which must exist.
    public subscript(position: Int) -> Element { recorded ?? element(position) }

    /// Returns a Boolean value that indicates whether both are the same inverse of the same object.
    public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
        guard let first = left.core, let second = right.core else {
            return left.core == nil && right.core == nil
        }
        return first === second || first.isSame(as: second)
    }
}

extension LinkingObjects: Encodable where Element: Encodable {}

extension LinkingObjects: _LinkingObjects, RecordingCollection {
    /// The declaration of the property.
    public static var _declaration: _PropertyDeclaration {
        _PropertyDeclaration(
            FirnValues.PropertyType(.link, container: .list), target: Element.self,
            isInverse: true)
    }

    /// Returns the inverse of an unmanaged object, which is empty.
    public static func _initial() -> LinkingObjects { LinkingObjects(nil) }

    /// Returns the inverse of a managed object.
    public static func _get(_ object: ObjectBase, _ index: Int) -> LinkingObjects {
        guard let access = object.access else { return LinkingObjects(nil) }
        return LinkingObjects(LinkingCore(access.instance, access.binding, access.row, index))
    }

    /// Stops the program, because an inverse follows the links.
    public static func _set(_ object: ObjectBase, _ index: Int, to value: LinkingObjects) {
        misuse("LinkingObjects cannot be set: change the property that it is the inverse of")
    }

    /// Returns null, because an inverse is not stored.
    public func _stored(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.null) }

    /// Returns the inverse of a recording object.
    public static func _traced(_ trace: _Trace) -> LinkingObjects {
        var inverse = LinkingObjects(nil)
        inverse.recorded = Element._sample(trace)
        return inverse
    }

    var recordedElement: Any? { recorded }

    /// Returns the value if it is an inverse, or `nil` otherwise.
    public static func _converted(_ value: Any) -> LinkingObjects? { value as? LinkingObjects }
}
