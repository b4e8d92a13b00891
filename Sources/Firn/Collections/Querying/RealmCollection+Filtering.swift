import FirnEngine
import FirnQuery
import FirnValues
public import Foundation

/// Finding elements by conditions.
extension RealmCollection {
    /// The elements that satisfy a condition.
    ///
    ///     dogs.filter("age > %@ AND name BEGINSWITH[c] 'r'", 3)
    ///
    /// - Parameters:
    ///   - predicateFormat: in the query language of Firn, which has the predicates of
    ///     `NSPredicate`. The program stops if it is wrong.
    ///   - args: for `%@`, `%K` and `$0`, `$1` and so on in it.
    /// - Complexity: O(1); the elements are searched when they are asked for
    public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
        filter(predicateFormat, arguments: args)
    }

    /// The elements that satisfy a condition.
    ///
    /// - Parameters:
    ///   - predicateFormat: as in ``filter(_:_:)``.
    ///   - arguments: for `%@`, `%K` and `$0`, `$1` and so on in it.
    /// - Complexity: O(1); the elements are searched when they are asked for
    public func filter(_ predicateFormat: String, arguments: [Any]) -> Results<Element> {
        let chain = managedCore(for: "filter").chain(for: "filter")
        return Results(chain.adding(chain.stages(predicateFormat, arguments)))
    }

    /// The elements that satisfy a condition that the compiler checks.
    ///
    ///     dogs.where { $0.age > 3 && $0.name.starts(with: "R", options: .caseInsensitive) }
    public func `where`(
        _ isIncluded: (Query<Element>) -> Query<Bool>
    ) -> Results<Element> {
        let chain = managedCore(for: "where").chain(for: "where")
        return Results(chain.adding([chain.filter(isIncluded(Query()).predicate(for: chain))]))
    }

    /// The position of an element; `nil` if it is none of this collection.
    ///
    /// - Complexity: O(elements)
    public func index(of element: Element) -> Int? {
        guard let core = _core else { return _unmanaged.firstIndex(of: element) }
        switch core.content {
        case .objects(let rows):
            guard let object = element._object, let access = object.access,
                access.instance === core.instance,
                access.binding.schema.id == core.elementClass?.id
            else { return nil }
            return rows.firstIndex(of: access.row)
        case .values(let values):
            guard element._object == nil else { return nil }
            guard let wanted = LinkLookup.value(of: element, in: core.instance) else { return nil }
            return values.firstIndex { $0.order(relativeTo: wanted) == .equal }
        }
    }

    /// The position of the first element that satisfies a condition; `nil` if none does.
    ///
    /// Also for unmanaged collections of objects, which is meant for small ones: the objects and all that they
    /// lead to are copied to be searched.
    ///
    /// - Parameters:
    ///   - predicateFormat: as in ``filter(_:_:)``.
    ///   - args: for `%@`, `%K` and `$0` in it.
    public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
        index(matching: predicateFormat, arguments: args)
    }

    func index(matching predicateFormat: String, arguments: [Any]) -> Int? {
        guard let core = _core ?? FixedCore(_unmanaged) else {
            return unmanagedIndex(predicateFormat, arguments)
        }
        let chain = core.chain(for: "index(matching:)")
        return index(ofFirst: chain.stages(predicateFormat, arguments), chain)
    }

    private func unmanagedIndex(_ text: String, _ arguments: [Any]) -> Int? {
        UnmanagedSearch.index(
            in: _unmanaged.compactMap(\._object), of: unmanagedType(), text, arguments)
    }

    private func unmanagedType() -> ObjectBase.Type {
        guard let type = Element.self as? ObjectBase.Type else {
            misuse(
                "index(matching:) is for collections of objects: search values with firstIndex of Swift"
            )
        }
        return type
    }

    /// The position of the first element that satisfies a condition; `nil` if none does.
    ///
    /// Also for unmanaged collections of objects; see ``index(matching:_:)``.
    public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
        guard let core = _core ?? FixedCore(_unmanaged) else {
            // First: of a value there is no condition that could be made.
            _ = unmanagedType()
            let (text, arguments) = isIncluded(Query())._constructPredicate()
            return unmanagedIndex(text, arguments)
        }
        let chain = core.chain(for: "index(matching:)")
        return index(ofFirst: [chain.filter(isIncluded(Query()).predicate(for: chain))], chain)
    }

    private func index(ofFirst stages: [BoundStage], _ chain: ResultsCore) -> Int? {
        guard case .objects(let rows) = chain.content else { return nil }
        guard case .link(let found)? = chain.adding(stages).storedFirst?.value else { return nil }
        return rows.firstIndex(of: found.rowID)
    }

    /// The elements at some positions; the program stops for one that there is not.
    public func objects(at indexes: IndexSet) -> [Element] { indexes.map { element($0) } }
}

extension RealmCollectionValue {
    /// The object that this is or, as a projection, is about; `nil` of values.
    var _object: ObjectBase? {
        if let object = self as? ObjectBase { return object }
        return (self as? any _Projecting)?._root
    }
}
