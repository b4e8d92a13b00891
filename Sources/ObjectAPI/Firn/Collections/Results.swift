import FirnEngine
import FirnValues

/// The objects of a query, as the realm currently shows them.
///
///     let puppies = realm.objects(Dog.self).filter("age < 2").sorted(byKeyPath: "name")
///
/// The search runs when the first element is accessed. It is not repeated while the realm shows the
/// same version.
public struct Results<Element: RealmCollectionValue>: RealmCollection {
    let core: _CollectionCore

    init(_ core: _CollectionCore) { self.core = core }

    /// The core of the results.
    public var _core: _CollectionCore? { core }

    /// Returns the results of a core.
    public static func _make(_ core: _CollectionCore) -> Results { Results(core) }

    /// An empty array, because results always belong to a realm.
    public var _unmanaged: [Element] { [] }

    /// Accesses the element at a position.
    ///
    /// - Parameter position: A position from 0 to less than ``RealmCollection/count``. The program
    ///   stops otherwise.
    public subscript(position: Int) -> Element { element(position) }

    /// Returns the first elements, up to a number.
    ///
    ///     let oldest = realm.objects(Dog.self).sorted(by: \.age, ascending: false).prefix(10)
    ///
    /// Only these are found, which takes less time than finding all elements in their order.
    ///
    /// - Parameter maxLength: The maximum number of elements to return, which must not be negative.
    public func prefix(_ maxLength: Int) -> Slice<Results> {
        guard maxLength >= 0 else { misuse("prefix(\(maxLength)) of results: pass 0 or more") }
        guard let chain = core as? ResultsCore else {
            return Slice(base: self, bounds: 0..<Swift.min(maxLength, count))
        }
        return Slice(base: self, bounds: 0..<chain.findFirst(maxLength))
    }

    /// Returns a Boolean value that indicates whether both are the same query of the same realm.
    public static func == (left: Results, right: Results) -> Bool {
        left.core === right.core || left.core.isSame(as: right.core)
    }
}

extension Results: Encodable where Element: Encodable {}

/// A type that can be fetched from a realm: an ``Object``, or a ``Projection`` of one.
public protocol RealmFetchable: RealmCollectionValue {
    /// Returns the name of the class in the database.
    static func className() -> String
    /// The class in the database.
    static var _fetchedClass: ObjectBase.Type { get }
}

extension Object: RealmFetchable {
    /// The class itself.
    public static var _fetchedClass: ObjectBase.Type { self }
}

extension Realm {
    /// Returns all objects of a class, or projections of all of them.
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
