import FirnEngine
import FirnValues

/// The common base class of ``Object`` and ``EmbeddedObject``.
///
/// Model classes derive from one of these two.
open class ObjectBase {
    /// The row of this object, or `nil` while the object is unmanaged.
    ///
    /// Only the thread that the object is confined to accesses this property.
    @exclusivity(unchecked)
    private(set) final var place: ObjectPlace?

    /// Creates an unmanaged object with the initial values of its properties.
    public required init() {}

    deinit { place?.release() }

    /// The access to the row of this object, or `nil` while the object is unmanaged.
    final var access: ObjectAccess? { place?.access }

    /// Makes this object represent a row.
    final func represent(_ row: RowID, of binding: ClassBinding) {
        represent(row, of: binding.slot)
    }

    private final func represent(_ row: RowID, of slot: UnsafeMutablePointer<CursorSlot>) {
        let former = place
        place = ObjectPlace(retaining: slot, row)
        former?.release()
    }

    /// Makes this object unmanaged, with the values that it had before it represented a row.
    final func representNothing() {
        let former = place
        place = nil
        former?.release()
    }

    /// Returns the name of the class in the database.
    ///
    /// The name contains neither the module nor any enclosing types.
    open class func className() -> String {
        _realmObjectName() ?? _typeName(Self.self).lastPathComponent
    }

    /// Returns a name for the class in the database that differs from its name in the program.
    open class func _realmObjectName() -> String? { nil }

    /// Returns a Boolean value that indicates whether a value is an object equal to this one.
    open func isEqual(_ object: Any?) -> Bool {
        (object as? ObjectBase).map { self == $0 } ?? false
    }

    /// Returns the column names that differ from the property names, by property.
    open class func propertiesMapping() -> [String: String] { [:] }

    /// Unavailable.
    ///
    /// Override ``propertiesMapping()`` instead.
    @available(*, unavailable, renamed: "propertiesMapping()")
    open class func _realmColumnNames() -> [String: String] { [:] }

    /// Returns the names of properties that are not stored.
    ///
    /// The properties may be collections, or be declared with ``Persisted``.
    open class func ignoredProperties() -> [String] { [] }

    /// Returns a Boolean value that indicates whether the class belongs to every realm by default.
    ///
    /// A ``Realm`` whose configuration lists no classes includes the class.
    open class func shouldIncludeInDefaultSchema() -> Bool { true }

    /// Whether objects of the class are embedded in the objects that link to them.
    class var isEmbeddedClass: Bool { false }

    /// Makes this unmanaged object represent a row.
    ///
    /// - Parameter isAdded: Whether the program may already hold values of the object, such as
    ///   lists.
    final func manage(_ binding: ClassBinding, _ row: RowID, isAdded: Bool = false) {
        represent(row, of: binding)
        binding.layout.manage(self, isAdded: isAdded)
    }

    /// Makes this new object represent a row of the class that a slot belongs to.
    final func manage(_ slot: UnsafeMutablePointer<CursorSlot>, _ row: RowID) {
        represent(row, of: slot)
        slot.pointee.layout._withUnsafeGuaranteedRef { $0.manage(self, isAdded: false) }
    }
}

extension String {
    /// The part after the last period that is outside of parentheses.
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

/// A top-level object of the model, which programs store and find.
///
///     class Dog: Object {
///         @Persisted var name = ""
///         @Persisted var owner: Person?
///     }
open class Object: ObjectBase {
    /// Creates an unmanaged object with the initial values of its properties.
    public required init() { super.init() }

    /// Returns the name of the primary key, for models without `@Persisted(primaryKey: true)`.
    open class func primaryKey() -> String? { nil }

    /// Returns the names of indexed properties, for models without `@Persisted(indexed: true)`.
    open class func indexedProperties() -> [String] { [] }
}

/// An object that is contained in another object and deleted with it.
///
///     class Address: EmbeddedObject {
///         @Persisted var city = ""
///     }
open class EmbeddedObject: ObjectBase {
    /// Creates an unmanaged object with the initial values of its properties.
    public required init() { super.init() }

    /// Returns `true`, because objects of the class are embedded in other objects.
    ///
    /// ``ObjectSchema/isEmbedded`` provides this information for every class.
    public static func isEmbedded() -> Bool { isEmbeddedClass }

    override class var isEmbeddedClass: Bool { true }
}

extension ObjectBase: Hashable {
    /// Returns a Boolean value that indicates whether two values are the same object.
    ///
    /// Objects of a class with a primary key, and objects of a frozen realm, are equal if they are
    /// the same object of the database. Other objects are equal if they are the same instance.
    public static func == (left: ObjectBase, right: ObjectBase) -> Bool {
        if left === right { return true }
        guard let first = left.access, let second = right.access, first.comparesRows,
            second.comparesRows
        else { return false }
        return left.isSameObject(as: right)
    }

    /// Hashes the components that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        guard let access, access.comparesRows else {
            hasher.combine(ObjectIdentifier(self))
            return
        }
        hasher.combine(access.row)
        hasher.combine(access.binding.schema.id)
    }

    /// Returns a Boolean value that indicates whether both are the same object of the same version.
    public func isSameObject(as other: ObjectBase?) -> Bool {
        guard let other else { return false }
        guard let access, let theirs = other.access else { return self === other }
        return access.row == theirs.row && access.instance === theirs.instance
            && access.binding.schema.id == theirs.binding.schema.id
    }
}

extension RealmCollectionValue where Self: ObjectBase {
    /// The declaration of an element.
    public static var _element: _PropertyDeclaration {
        _PropertyDeclaration(FirnValues.PropertyType(.link), target: Self.self)
    }

    /// Creates an element from its stored form.
    public static func _decode(_ stored: _StoredValue, in realm: _RealmReference) -> Self {
        guard case .link(let reference) = stored.value else { otherType(stored, Self.self) }
        return realm.object(Self.self, reference)
    }

    /// Returns an unmanaged object with the initial values of its properties.
    public static func _blank() -> Self { Self() }

    /// Returns the object to which a link of a managed object leads.
    public static func _getIfPresent(_ object: ObjectBase, _ index: Int) -> Self? {
        object.readingIfPresent(
            index,
            { cursor, position throws(StoreError) -> Self? in
                guard let reference = try cursor.link(position) else { return nil }
                return object.place?.object(Self.self, reference)
            }, { _decode($0, in: $1) })
    }

    /// Returns the stored form of an element.
    public func _encode(_ links: _LinkEncoder) -> _StoredValue {
        _StoredValue(links.link(to: self))
    }
}

extension Object: RealmCollectionValue, _OptionalCapable {
    /// The type that is stored, which is a link.
    public typealias PersistedType = Object
}

extension EmbeddedObject: RealmCollectionValue, _OptionalCapable {
    /// The type that is stored, which is a link.
    public typealias PersistedType = EmbeddedObject
}

/// ``Object``, under the name that Realm gives its class.
public typealias RealmSwiftObject = Object

/// ``EmbeddedObject``, under the name that Realm gives its class.
public typealias RealmSwiftEmbeddedObject = EmbeddedObject
