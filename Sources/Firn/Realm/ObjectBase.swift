import FirnEngine
import FirnValues

/// What ``Object`` and ``EmbeddedObject`` have in common.
///
/// Model classes derive from one of these two.
open class ObjectBase {
    /// The row that this object stands for; `nil` while it is unmanaged.
    ///
    /// Only the thread that the object is confined to touches it.
    @exclusivity(unchecked)
    final var access: ObjectAccess?

    /// Makes an unmanaged object with the initial values of its properties.
    public required init() {}

    /// The name of a class in the database.
    ///
    /// Without the module and without the types that it is declared in.
    open class func className() -> String { _typeName(Self.self).lastPathComponent }

    /// Names of columns that are not the names of their properties, by property.
    open class func propertiesMapping() -> [String: String] { [:] }

    /// Not here: override ``propertiesMapping()``.
    @available(*, unavailable, renamed: "propertiesMapping()")
    open class func _realmColumnNames() -> [String: String] { [:] }

    /// Names of properties that are not stored although they are declared with ``Persisted``, or are
    /// collections.
    open class func ignoredProperties() -> [String] { [] }

    /// Whether a ``Realm`` whose configuration lists no classes has this one.
    open class func shouldIncludeInDefaultSchema() -> Bool { true }

    /// Whether objects live inside of the object that links to them.
    class var isEmbeddedClass: Bool { false }

    /// Makes this unmanaged object stand for a row.
    ///
    /// - Parameter isAdded: whether the program may hold values of it, such as lists.
    final func manage(
        _ instance: RealmInstance, _ binding: ClassBinding, _ row: RowID, isAdded: Bool = false
    ) {
        access = ObjectAccess(instance: instance, binding: binding, row: row)
        binding.layout.manage(self, isAdded: isAdded)
    }
}

extension String {
    /// What stands behind the last point that is outside of parentheses.
    fileprivate var lastPathComponent: String {
        var depth = 0
        for index in indices.reversed() {
            switch self[index] {
            case ")": depth += 1
            case "(": depth -= 1
            case "." where depth == 0: return String(self[self.index(after: index)...])
            default: break
            }
        }
        return self
    }
}

/// A top-level object of the model: what programs store and find.
///
///     class Dog: Object {
///         @Persisted var name = ""
///         @Persisted var owner: Person?
///     }
open class Object: ObjectBase {
    /// Makes an unmanaged object with the initial values of its properties.
    public required init() { super.init() }

    /// The name of the primary key, for models that do not say `@Persisted(primaryKey: true)`.
    open class func primaryKey() -> String? { nil }

    /// Names of indexed properties, which are not searched faster yet, for models without
    /// `@Persisted(indexed: true)`.
    open class func indexedProperties() -> [String] { [] }
}

/// An object that lives inside of another one and goes with it.
///
///     class Address: EmbeddedObject {
///         @Persisted var city = ""
///     }
open class EmbeddedObject: ObjectBase {
    /// Makes an unmanaged object with the initial values of its properties.
    public required init() { super.init() }

    /// Whether objects of the class live inside of others: always `true`.
    ///
    /// ``ObjectSchema/isEmbedded`` says it of every class.
    public static func isEmbedded() -> Bool { isEmbeddedClass }

    override class var isEmbeddedClass: Bool { true }
}

extension ObjectBase: Hashable {
    /// Whether both are the same object: of a class with a primary key, and of a frozen realm, the same
    /// object of the database; otherwise the same instance.
    public static func == (left: ObjectBase, right: ObjectBase) -> Bool {
        if left === right { return true }
        guard let first = left.access, let second = right.access, first.comparesRows,
            second.comparesRows
        else { return false }
        return left.isSameObject(as: right)
    }

    /// Feeds what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        guard let access, access.comparesRows else {
            hasher.combine(ObjectIdentifier(self))
            return
        }
        hasher.combine(access.row)
        hasher.combine(access.binding.schema.id)
    }

    /// Whether both stand for the same object of the same database and version.
    public func isSameObject(as other: ObjectBase?) -> Bool {
        guard let other else { return false }
        guard let access, let theirs = other.access else { return self === other }
        return access.row == theirs.row && access.instance === theirs.instance
            && access.binding.schema.id == theirs.binding.schema.id
    }
}

extension RealmCollectionValue where Self: ObjectBase {
    /// What an element is declared as.
    public static var _element: _PropertyDeclaration {
        _PropertyDeclaration(FirnValues.PropertyType(.link), target: Self.self)
    }

    /// Makes an element of what the database has.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Self {
        guard case .link(let reference) = stored.value else { otherType(stored, Self.self) }
        return realm.instance.object(Self.self, reference)
    }

    /// An unmanaged object with the initial values of its properties.
    public static func _blank() -> Self { Self() }

    /// The object that a link of a managed object leads to.
    public static func _getIfPresent(_ object: ObjectBase, _ place: Int) -> Self? {
        object.readingIfPresent(
            place,
            { cursor, position throws(StoreError) -> Self? in
                guard let reference = try cursor.link(position) else { return nil }
                return object.access?.instance.object(Self.self, reference)
            }, { _decode($0, in: $1) })
    }

    /// What the database stores for an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue {
        _StoredValue(links.link(to: self))
    }
}

extension Object: RealmCollectionValue, _OptionalCapable {}
extension EmbeddedObject: RealmCollectionValue, _OptionalCapable {}

/// ``Object`` by the name that Realm gives its class.
public typealias RealmSwiftObject = Object

/// ``EmbeddedObject`` by the name that Realm gives its class.
public typealias RealmSwiftEmbeddedObject = EmbeddedObject
