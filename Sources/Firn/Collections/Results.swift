import FirnEngine
import FirnValues

/// The objects of a query, always as the realm has them now.
///
///     let puppies = realm.objects(Dog.self).filter("age < 2").sorted(byKeyPath: "name")
///
/// Nothing is searched before the first element is asked for, and nothing twice while the realm
/// shows the same version.
public struct Results<Element: RealmCollectionValue>: RealmCollection {
    let core: _CollectionCore

    init(_ core: _CollectionCore) { self.core = core }

    /// What it stands for in a realm.
    public var _core: _CollectionCore? { core }

    /// The results that stand for what a core does.
    public static func _make(_ core: _CollectionCore) -> Results { Results(core) }

    /// None: results are always of a realm.
    public var _unmanaged: [Element] { [] }

    /// The element at a position.
    ///
    /// - Parameter position: from 0 to less than ``RealmCollection/count``; the program stops
    ///   otherwise.
    public subscript(position: Int) -> Element { element(position) }

    /// Whether both are the same query of the same realm.
    public static func == (left: Results, right: Results) -> Bool {
        left.core === right.core || left.core.isSame(as: right.core)
    }
}

extension Results: Encodable where Element: Encodable {}

/// A type whose objects a realm can be asked for: an ``Object``, or a ``Projection`` of one.
public protocol RealmFetchable: RealmCollectionValue {
    /// The name of the class in the database.
    static func className() -> String
    /// The class in the database.
    static var _fetchedClass: ObjectBase.Type { get }
}

extension Object: RealmFetchable {
    /// The class itself.
    public static var _fetchedClass: ObjectBase.Type { self }
}

extension Realm {
    /// All objects of a class, or projections of all.
    ///
    ///     let dogs = realm.objects(Dog.self)
    ///     let people = realm.objects(PersonProjection.self).filter("lastName == 'Berg'")
    ///
    /// - Complexity: O(1)
    public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
        instance.checkConfinement()
        let binding = instance.binding(of: Element._fetchedClass)
        guard !Element._fetchedClass.isEmbeddedClass else {
            misuse(
                "\(Element.className()) is embedded: its objects are only found in those that have "
                    + "them")
        }
        return Results(ResultsCore(instance, binding.schema, .all))
    }
}
