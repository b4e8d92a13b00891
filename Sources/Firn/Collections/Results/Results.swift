import FirnEngine
import FirnValues

/// The objects of a query, always as the realm has them now.
///
///     let puppies = realm.objects(Dog.self).filter("age < 2").sorted(byKeyPath: "name")
///
/// Nothing is searched before the first element is asked for.
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
    public static func == (left: Results, right: Results) -> Bool { left.core === right.core }

    /// The elements that satisfy a condition.
    ///
    ///     dogs.filter("age > %@ AND name BEGINSWITH[c] 'r'", 3)
    ///
    /// - Parameters:
    ///   - text: in the query language of Firn, which has the predicates of `NSPredicate`. The program
    ///     stops if it is wrong.
    ///   - arguments: for `%@`, `%K` and `$0`, `$1` and so on in it.
    public func filter(_ text: String, _ arguments: Any...) -> Results<Element> {
        guard let core = core as? ResultsCore else { misuse("a filter over what are no objects") }
        return Results(core.adding(core.stages(text, arguments)))
    }
}

extension Realm {
    /// All objects of a class.
    ///
    /// - Complexity: O(1)
    public func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
        instance.checkConfinement()
        return Results(ResultsCore(instance, instance.binding(of: type).schema, .all))
    }
}
