import FirnQuery

/// Orders, and each value once.
extension RealmCollection {
    /// The elements in the order of a property.
    ///
    /// Nil comes first, texts are ordered by their code points, and what is equal keeps its order.
    /// Sorting what was sorted makes the later property decide first.
    ///
    /// - Parameters:
    ///   - keyPath: the property, or the way to it over single links: `"owner.name"`. Of
    ///     collections of values `"self"`. The program stops if there is none.
    ///   - ascending: whether the lowest comes first.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The elements in the order of several properties: by the first, then the second, and so on.
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

    /// The first element of each combination of values, in the order that there is.
    ///
    /// - Parameter keyPaths: properties, or the ways to them over single links. Elements for which a link
    ///   on the way is nil are left out.
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
    /// The elements in the order of a property.
    ///
    ///     dogs.sorted(by: \.age, ascending: false)
    ///
    /// The program stops if the key path is not that of a persisted property.
    public func sorted<T: SortableType>(
        by keyPath: KeyPath<Element, T>, ascending: Bool = true
    ) -> Results<Element> {
        sorted(byKeyPath: Element.name(of: keyPath), ascending: ascending)
    }

    /// The first element of each combination of values, in the order that there is.
    public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element>
    where S.Iterator.Element == PartialKeyPath<Element> {
        distinct(by: keyPaths.map { Element.name(of: $0) })
    }
}

extension RealmCollection where Element: SortableType {
    /// The values in their order, nil first.
    public func sorted(ascending: Bool = true) -> Results<Element> {
        sorted(byKeyPath: "self", ascending: ascending)
    }

    /// The first of each value, in the order that there is.
    public func distinct() -> Results<Element> { distinct(by: ["self"]) }
}
