import FirnValues

/// The objects that link to an object through one property: the inverse of that property.
///
///     class Dog: Object {
///         @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
///     }
///
/// It is never changed itself: it follows the links. An object that links several times is there
/// as often. The order says nothing. Of an unmanaged object it is empty.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection {
    let core: _CollectionCore?
    /// The element at every position, if this only records key paths.
    private var recorded: Element?

    init(_ core: _CollectionCore?) { self.core = core }

    /// Declares an inverse by hand; ``Persisted/init(originProperty:)`` is what properties need.
    ///
    /// - Parameters:
    ///   - fromType: the class that links here.
    ///   - property: its property.
    public init(fromType _: Element.Type, property _: String) { core = nil }

    /// What it stands for in a realm; `nil` of an unmanaged object.
    public var _core: _CollectionCore? { core }

    /// None: nothing links to an unmanaged object.
    public var _unmanaged: [Element] { recorded.map { [$0] } ?? [] }

    /// The inverse of a managed object.
    public static func _make(_ core: _CollectionCore) -> LinkingObjects { LinkingObjects(core) }

    /// The object at a position; stops the program if there is none.
    public subscript(position: Int) -> Element { recorded ?? element(position) }

    /// Whether both are the same inverse of the same object.
    public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
        guard let first = left.core, let second = right.core else {
            return left.core == nil && right.core == nil
        }
        return first === second || first.isSame(as: second)
    }
}

extension LinkingObjects: Encodable where Element: Encodable {}

extension LinkingObjects: _LinkingObjects, RecordingCollection {
    /// What the property is declared as.
    public static var _declaration: _PropertyDeclaration {
        _PropertyDeclaration(
            FirnValues.PropertyType(.link, container: .list), target: Element.self,
            isInverse: true)
    }

    /// The inverse of an unmanaged object, which is empty.
    public static func _initial() -> LinkingObjects { LinkingObjects(nil) }

    /// The inverse of a managed object.
    public static func _get(_ object: ObjectBase, _ place: Int) -> LinkingObjects {
        guard let access = object.access else { return LinkingObjects(nil) }
        return LinkingObjects(LinkingCore(access.instance, access.binding, access.row, place))
    }

    /// Stops the program: an inverse follows the links.
    public static func _set(_ object: ObjectBase, _ place: Int, to value: LinkingObjects) {
        misuse("LinkingObjects cannot be set: change the property that it is the inverse of")
    }

    /// Nothing: an inverse is not stored.
    public func _stored(_ links: _LinkEncoder) -> _StoredValue { _StoredValue(.null) }

    /// The inverse of a recording object.
    public static func _traced(_ trace: _Trace) -> LinkingObjects {
        var inverse = LinkingObjects(nil)
        inverse.recorded = Element._sample(trace)
        return inverse
    }

    var recordedElement: Any? { recorded }

    /// Never: an inverse follows the links.
    public static func _converted(_ value: Any) -> LinkingObjects? { value as? LinkingObjects }
}
