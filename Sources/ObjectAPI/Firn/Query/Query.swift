import FirnQuery
import FirnSyntax

/// A condition that the compiler checks, built in the closure of `where`.
///
///     people.where { $0.age > 30 && $0.dogs.name == "Rex" }
///
/// A property of the object is a `Query` of its type. Comparisons of properties return a
/// `Query<Bool>`, which can be combined with `&&`, `||` and `!`. A property of the elements of a
/// collection represents any of the elements: the example finds all people over thirty who have a
/// dog named Rex.
///
/// The closure does not evaluate the condition, but only records it.
@dynamicMemberLookup
public struct Query<T> {
    let node: QueryNode

    /// Creates a query that represents the object itself.
    init() { node = .path(QueryPath()) }

    init(_ node: QueryNode) { self.node = node }

    /// Returns the path to a value that the database computes from this one.
    func attribute<V>(_ name: String) -> Query<V> {
        guard case .path(var path) = node else {
            misuse("\(name) of a count, which is one number already: leave it out")
        }
        path.aggregate(name)
        return Query<V>(.path(path))
    }

    /// Returns the path to a value inside this one.
    ///
    /// - Parameter entering: Whether the path leads to more than one value.
    func step<V>(_ segment: Path.Segment.Kind, entering: Bool = false) -> Query<V> {
        guard case .path(var path) = node else { misuse("a subscript of a condition") }
        path.append([segment])
        if entering { path.enterCollection() }
        return Query<V>(.path(path))
    }

    func comparison(
        _ operation: Comparison.Operator, _ right: QueryNode, _ options: StringOptions = []
    ) -> Query<Bool> {
        Query<Bool>(.comparing(node, operation, options.comparisonOptions, right))
    }
}

/// An optional of any type.
public protocol OptionalProtocol {
    /// The type of the content.
    associatedtype Wrapped
}

extension Optional: OptionalProtocol {}
