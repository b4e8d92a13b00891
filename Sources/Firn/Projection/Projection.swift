import FirnEngine
import FirnValues

/// What a projection can be asked for, whatever its class is.
public protocol ProjectionObservable: AnyObject, ThreadConfined {
    /// The class that it shows a part of.
    associatedtype Root: ObjectBase & RealmCollectionValue & ThreadConfined
    /// The object that it shows a part of.
    var rootObject: Root { get }
    /// Makes the projection of an object.
    init(projecting object: Root)
}

/// A part of an object under names of its own: a model for a view that needs no more.
///
///     class PersonProjection: Projection<Person> {
///         @Projected(\Person.firstName) var firstName
///         @Projected(\Person.lastName.localizedUppercase) var lastNameCaps
///         @Projected(\Person.address?.city) var homeCity
///         @Projected(\Person.friends.projectTo.firstName) var friends: ProjectedCollection<String>
///     }
///
///     for person in realm.objects(PersonProjection.self).filter("lastName == 'Berg'") { ... }
///
/// A projection stores nothing: reading and setting its properties reads and sets those of its
/// object. Queries and sorts of `Results` of projections name the properties of the object.
open class Projection<Root: ObjectBase & RealmCollectionValue & ThreadConfined>:
    ProjectionObservable
{
    /// The object that this shows a part of.
    public let rootObject: Root

    /// Makes the projection of an object, which may be unmanaged.
    ///
    /// The program stops if a property with ``Projected`` does not lead to a persisted property.
    public required init(projecting object: Root) {
        rootObject = object
        _ = ProjectionLayout.of(self)
    }

    /// The properties with their key paths and values.
    open var description: String {
        let properties = ProjectionLayout.of(self).properties.map { property in
            "\t\(property.label)(\\.\(property.origins.joined(separator: ", \\."))) = "
                + "\(property.projected._value(of: rootObject));"
        }
        return "\(type(of: self))<\(Root.className())> {\n"
            + properties.joined(separator: "\n") + "\n}"
    }

    /// The name of the class of the objects in the database.
    public static func className() -> String { Root.className() }
}

extension Projection: CustomStringConvertible {
    /// The realm of the object; `nil` if it is unmanaged.
    public var realm: Realm? { rootObject.realm }

    /// Whether the object was deleted, or its realm was invalidated.
    public var isInvalidated: Bool { rootObject.isInvalidated }

    /// Whether the object is of a version that never changes.
    public var isFrozen: Bool { rootObject.isFrozen }

    /// The projection of the object as it is now, for ever, for use everywhere.
    public func freeze() -> Self { frozenByMoving() }

    /// The projection of the object of the realm of this thread; `nil` if it was deleted.
    public func thaw() -> Self? { thawedByMoving() }

    /// The projection of the same object in another realm of its file; `nil` if it is not there.
    public func _moved(to realm: Realm) -> Self? {
        rootObject._moved(to: realm).map { Self(projecting: $0) }
    }
}

extension Projection: Hashable {
    /// Whether both are projections of one class and of the same object.
    public static func == (left: Projection, right: Projection) -> Bool {
        left === right
            || type(of: left) == type(of: right)
                && (left.rootObject == right.rootObject
                    || left.rootObject.isSameObject(as: right.rootObject))
    }

    /// Feeds what says which object it is.
    public func hash(into hasher: inout Hasher) {
        guard let access = rootObject.access else {
            hasher.combine(ObjectIdentifier(rootObject))
            return
        }
        hasher.combine(access.row)
        hasher.combine(access.binding.schema.id)
    }
}

// MARK: Elements of results

/// A projection, whatever its object is.
protocol _Projecting {
    var _root: ObjectBase { get }
    static var _rootType: ObjectBase.Type { get }
    static func _recording(_ recorder: KeyPathRecorder) -> Self
}

extension Projection: _Projecting {
    var _root: ObjectBase { rootObject }
    static var _rootType: ObjectBase.Type { Root.self }
    static func _recording(_ recorder: KeyPathRecorder) -> Self {
        Self(projecting: recorder.object(Root.self))
    }
}

extension Projection: RealmFetchable, KeypathSortable {
    /// Stops the program: a projection is not stored.
    public static var _element: _PropertyDeclaration {
        misuse(
            "\(self) cannot be stored: have a list of \(Root.className()), and show it with "
                + "@Projected(\\Root.list.projectTo...)")
    }

    /// The class of the objects.
    public static var _fetchedClass: ObjectBase.Type { Root.self }

    /// The projection of an object.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Self {
        Self(projecting: Root._decode(stored, in: realm))
    }

    /// The object.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { rootObject._encode(links) }
}
