import FirnEngine
import FirnQuery
import FirnValues
public import Foundation

/// Finding elements by conditions.
extension RealmCollection {
    /// Returns the elements that satisfy a condition.
    ///
    ///     dogs.filter("age > %@ AND name BEGINSWITH[c] 'r'", 3)
    ///
    /// - Parameters:
    ///   - predicateFormat: A condition in the query language of Firn, which includes the
    ///     predicates of `NSPredicate`. The program stops if it is invalid.
    ///   - args: The arguments for `%@`, `%K`, `$0`, `$1` and so on in the condition.
    /// - Complexity: O(1). The search runs when the elements are accessed.
    public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
        filter(predicateFormat, arguments: args)
    }

    /// Returns the elements that satisfy a condition.
    ///
    /// - Parameters:
    ///   - predicateFormat: The condition, as in ``filter(_:_:)``.
    ///   - arguments: The arguments for `%@`, `%K`, `$0`, `$1` and so on in the condition.
    /// - Complexity: O(1). The search runs when the elements are accessed.
    public func filter(_ predicateFormat: String, arguments: [Any]) -> Results<Element> {
        let chain = managedCore(for: "filter").chain(for: "filter")
        return Results(chain.adding(chain.stages(predicateFormat, arguments)))
    }

    /// Returns the elements that satisfy a condition that the compiler checks.
    ///
    ///     dogs.where { $0.age > 3 && $0.name.starts(with: "R", options: .caseInsensitive) }
    public func `where`(
        _ isIncluded: (Query<Element>) -> Query<Bool>
    ) -> Results<Element> {
        let chain = managedCore(for: "where").chain(for: "where")
        return Results(chain.adding([chain.filter(isIncluded(Query()).predicate(for: chain))]))
    }

    /// Returns the position of an element, or `nil` if the collection does not contain it.
    ///
    /// - Complexity: O(elements); O(log elements) for all objects of a class in the order of an index,
    ///   if none of them was read before
    public func index(of element: Element) -> Int? {
        guard let core = _core else { return _unmanaged.position(of: element) }
        if let chain = core as? ResultsCore, let row = row(of: element, in: chain) {
            let found = chain.instance.reading("searching a \(chain.name)") {
                () throws(StoreError) in
                try chain.position(of: row)
            }
            if let found { return found }
        }
        switch core.content {
        case .objects(let rows):
            return row(of: element, in: core).flatMap { rows.firstIndex(of: $0) }
        case .values(let values):
            guard element._object == nil else { return nil }
            guard let wanted = LinkLookup.value(of: element, in: core.instance) else { return nil }
            return values.firstIndex { $0.order(relativeTo: wanted) == .equal }
        }
    }

    /// Returns the row of an object of the class of a collection; `nil` for another element.
    private func row(of element: Element, in core: _CollectionCore) -> RowID? {
        guard let object = element._object, let access = object.access,
            access.instance === core.instance,
            access.binding.schema.id == core.elementClass?.id
        else { return nil }
        return access.row
    }

    /// Returns the position of the first element that satisfies a condition, or `nil` if none does.
    ///
    ///     dogs.index(matching: "age > 3")
    ///     scores.index(matching: "SELF > 3")     // of values
    ///
    /// Unmanaged collections, and collections of values, are copied for the search, with all objects
    /// that they link to. They should be small.
    ///
    /// - Parameters:
    ///   - predicateFormat: The condition, as in ``filter(_:_:)``. In collections of values, `SELF` is
    ///     the value.
    ///   - args: The arguments for `%@`, `%K` and `$0` in the condition.
    public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
        index(matching: predicateFormat, arguments: args)
    }

    func index(matching predicateFormat: String, arguments: [Any]) -> Int? {
        if let chain = searchedObjects {
            return index(ofFirst: chain.stages(predicateFormat, arguments), chain)
        }
        if let type = Element.self as? ObjectBase.Type {
            return UnmanagedSearch.index(
                in: _unmanaged.compactMap(\._object), of: type, predicateFormat, arguments)
        }
        return UnmanagedSearch.index(in: Array(self), predicateFormat, arguments)
    }

    /// The elements as the objects of a realm; `nil` if they are unmanaged, or values.
    private var searchedObjects: ResultsCore? {
        guard let core = _core ?? FixedCore(_unmanaged), core.elementClass != nil else {
            return nil
        }
        return core.chain(for: "index(matching:)")
    }

    /// Returns the position of the first element that satisfies a condition, or `nil` if none does.
    ///
    ///     scores.index(matching: { $0 > 3 })
    ///
    /// Unmanaged collections and values are copied for the search, as in ``index(matching:_:)``.
    public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
        let condition = isIncluded(Query())
        if let chain = searchedObjects {
            return index(ofFirst: [chain.filter(condition.predicate(for: chain))], chain)
        }
        var format = QueryFormat(root: Element.self is ObjectBase.Type ? nil : "SELF")
        let text = format.condition(condition.node)
        return index(matching: text, arguments: format.arguments)
    }

    private func index(ofFirst stages: [BoundStage], _ chain: ResultsCore) -> Int? {
        guard case .objects(let rows) = chain.content else { return nil }
        guard case .link(let found)? = chain.adding(stages).storedFirst?.value else { return nil }
        return rows.firstIndex(of: found.rowID)
    }

    /// Returns the elements at several positions, all of which must exist.
    public func objects(at indexes: IndexSet) -> [Element] { indexes.map { element($0) } }
}

extension RealmCollectionValue {
    /// The object itself, or the object of a projection, or `nil` for values.
    var _object: ObjectBase? {
        if let object = self as? ObjectBase { return object }
        return (self as? any _Projecting)?._root
    }
}
