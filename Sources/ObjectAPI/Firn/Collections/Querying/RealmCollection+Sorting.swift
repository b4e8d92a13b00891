import FirnQuery
import FirnValues

/// Sorting elements and removing duplicates.
extension RealmCollection {
    /// Returns the elements sorted by a property.
    ///
    /// Nil comes first, strings are sorted by their code points, and equal elements keep their
    /// order. If a sorted collection is sorted again, the later property takes precedence.
    ///
    /// - Parameters:
    ///   - keyPath: A property, or a path to one across to-one links: `"owner.name"`. For
    ///     collections of values, use `"self"`. The program stops if the property does not exist.
    ///   - ascending: Whether the lowest value comes first.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// Returns the elements sorted by several properties: by the first, then the second, and so on.
    public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Element>
    where S.Iterator.Element == SortDescriptor {
        let descriptors = Array(sortDescriptors)
        let core = managedCore(for: "sorting")
        guard core.elementClass == nil else {
            let chain = core.chain(for: "sorting")
            guard !descriptors.isEmpty else { return Results(chain.adding([])) }
            return Results(chain.adding([chain.sort(descriptors)]))
        }
        guard descriptors.count == 1, let only = descriptors.first, only.keyPath == "self" else {
            misuse("values can only be sorted by \"self\": use sorted(ascending:)")
        }
        return Results(ValuesCore.adding(.sorted(ascending: only.ascending), to: core))
    }

    /// Returns the first element for each combination of values, in the existing order.
    ///
    /// - Parameter keyPaths: Properties, or paths to them across to-one links. Elements for which a
    ///   link of a path is nil are omitted.
    public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element>
    where S.Iterator.Element == String {
        let names = Array(keyPaths)
        let core = managedCore(for: "distinct")
        guard core.elementClass == nil else {
            let chain = core.chain(for: "distinct")
            return Results(chain.adding(chain.distinct(names)))
        }
        guard names == ["self"] else {
            misuse("values can only be distinct by \"self\": use distinct()")
        }
        return Results(ValuesCore.adding(.distinct, to: core))
    }
}

extension RealmCollection where Element: KeypathSortable {
    /// Returns the elements sorted by a property.
    ///
    ///     dogs.sorted(by: \.age, ascending: false)
    ///
    /// The program stops if the key path does not name a persisted property.
    public func sorted<T: RealmCollectionValue>(
        by keyPath: KeyPath<Element, T>, ascending: Bool = true
    ) -> Results<Element> where T.PersistedType: SortableType {
        sorted(byKeyPath: Element.name(of: keyPath), ascending: ascending)
    }

    /// Returns the first element for each combination of values, in the existing order.
    public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element>
    where S.Iterator.Element == PartialKeyPath<Element> {
        distinct(by: keyPaths.map { Element.name(of: $0) })
    }
}

extension RealmCollection where Element.PersistedType: SortableType {
    /// Returns the values in sorted order.
    ///
    /// Nil is the lowest value.
    public func sorted(ascending: Bool = true) -> Results<Element> {
        sorted(byKeyPath: "self", ascending: ascending)
    }

    /// Returns the first of each group of equal values, in the existing order.
    public func distinct() -> Results<Element> { distinct(by: ["self"]) }
}
