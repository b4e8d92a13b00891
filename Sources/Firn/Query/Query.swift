import FirnQuery

/// A condition that the compiler checks: what the closure of `where` gets and gives.
///
///     people.where { $0.age > 30 && $0.dogs.name == "Rex" }
///
/// A property of the object is a `Query` of its type; comparisons make `Query<Bool>` of it, which
/// `&&`, `||` and `!` combine. A property of the elements of a collection stands for any of them:
/// the example finds everybody over thirty who has a dog named Rex.
///
/// Nothing is computed while the closure runs: it writes down what is asked for.
@dynamicMemberLookup
public struct Query<T> {
    let node: QueryNode

    /// The object itself.
    init() { node = .path(QueryPath()) }

    init(_ node: QueryNode) { self.node = node }

    /// The way to what the database computes of this.
    func attribute<V>(_ name: String) -> Query<V> {
        guard case .path(var path) = node else {
            misuse("\(name) of a count, which is one number already: leave it out")
        }
        path.aggregate(name)
        return Query<V>(.path(path))
    }

    /// The way to what is in what this stands for.
    ///
    /// - Parameter entering: whether that is more than one value.
    func step<V>(_ segment: Path.Segment.Kind, entering: Bool = false) -> Query<V> {
        guard case .path(var path) = node else { misuse("a subscript of a condition") }
        path.append([segment])
        if entering { path.enterCollection() }
        return Query<V>(.path(path))
    }

    func comparison(
        _ operation: Comparison.Operator, _ right: QueryNode, _ options: StringOptions = []
    ) -> Query<Bool> {
        Query<Bool>(.comparison(node, operation, options.comparisonOptions, right))
    }
}
