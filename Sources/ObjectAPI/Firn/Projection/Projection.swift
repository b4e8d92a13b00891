import FirnEngine
import FirnValues

/// The requirements that are common to projections of all classes.
public protocol ProjectionObservable: AnyObject, RealmSubscribable {
    /// The class of the projected object.
    associatedtype Root: ObjectBase & RealmCollectionValue & ThreadConfined
    /// The projected object.
    var rootObject: Root { get }
    /// Creates the projection of an object.
    init(projecting object: Root)
}

/// A projection of an object, which shows some of its properties under its own names.
///
/// Use a projection as the model of a view that needs only part of an object.
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
/// A projection stores nothing. Its properties read and set those of its object. Queries and sorts
/// of `Results` of projections refer to the properties of the object.
open class Projection<Root: ObjectBase & RealmCollectionValue & ThreadConfined>:
    ProjectionObservable
{
    /// The projected object.
    public let rootObject: Root

    /// Creates the projection of an object, which may be unmanaged.
    ///
    /// The program stops if a property with ``Projected`` does not refer to a persisted property.
    public required init(projecting object: Root) {
        rootObject = object
        _ = ProjectionLayout.of(self)
    }

    /// A textual representation of the properties with their key paths and values.
    open var description: String {
        let properties = ProjectionLayout.of(self).properties.map { property in
            "\t\(property.label)(\\.\(property.origins.joined(separator: ", \\."))) = "
                + "\(property.projected._value(of: rootObject));"
        }
        return "\(type(of: self))<\(Root.className())> {\n"
            + properties.joined(separator: "\n") + "\n}"
    }

    /// Returns the name of the class of the objects in the database.
    public static func className() -> String { Root.className() }
}

extension Projection: CustomStringConvertible {
    /// The realm of the object, or `nil` if it is unmanaged.
    public var realm: Realm? { rootObject.realm }

    /// A Boolean value that indicates whether the object was deleted or its realm was invalidated.
    public var isInvalidated: Bool { rootObject.isInvalidated }

    /// A Boolean value that indicates whether the object belongs to a version that never changes.
    public var isFrozen: Bool { rootObject.isFrozen }

    /// Returns the projection of a frozen version of the object, which can be used on any thread.
    public func freeze() -> Self { frozenByMoving() }

    /// Returns the projection of the object in the realm of the current thread.
    ///
    /// The result is `nil` if the object was deleted.
    public func thaw() -> Self? { thawedByMoving() }

    /// Returns the projection of the same object in another realm of its file.
    ///
    /// The result is `nil` if the object does not exist there.
    public func _moved(to realm: Realm) -> Self? {
        rootObject._moved(to: realm).map { Self(projecting: $0) }
    }
}

extension Projection: Hashable {
    /// Returns a Boolean value that indicates whether both have the same class and object.
    public static func == (left: Projection, right: Projection) -> Bool {
        left === right
            || type(of: left) == type(of: right)
                && (left.rootObject == right.rootObject
                    || left.rootObject.isSameObject(as: right.rootObject))
    }

    /// Hashes the identity of the object.
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

/// A projection of an object of any class.
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
    /// The type of the elements, because a projection is not stored.
    public typealias PersistedType = Projection

    /// Stops the program, because a projection is not stored.
    public static var _element: _PropertyDeclaration {
        misuse(
            "\(self) cannot be stored: have a list of \(Root.className()), and show it with "
                + "@Projected(\\Root.list.projectTo...)")
    }

    /// The class of the objects.
    public static var _fetchedClass: ObjectBase.Type { Root.self }

    /// Returns the projection of an object.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Self {
        Self(projecting: Root._decode(stored, in: realm))
    }

    /// Returns the stored form of a link to the object.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue { rootObject._encode(links) }
}
