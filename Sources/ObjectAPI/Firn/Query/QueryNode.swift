import FirnQuery
import FirnSyntax
import FirnValues

/// A node of the condition of a ``Query``.
indirect enum QueryNode {
    case path(QueryPath)
    /// A value of the program.
    case value(Any)
    case values([Any])
    case comparison(QueryNode, Comparison.Operator, Comparison.Options, QueryNode)
    case any(QueryNode)
    case all([QueryNode])
    case oneOf([QueryNode])
    case not(QueryNode)
    /// A condition that a value in a collection is in a range, excluding its upper end.
    case within(QueryNode, Any, Any)
    /// The number of objects in the first collection of the paths that satisfy a condition.
    case countOf(QueryNode)
}

/// The path from the object to a value.
struct QueryPath: Equatable {
    private(set) var segments: [Path.Segment.Kind] = []
    /// The number of steps to the first collection, if there is one.
    private(set) var stepsToCollection: Int?
    /// The number of steps to the last collection.
    private var stepsToLastCollection: Int?

    mutating func append(_ more: [Path.Segment.Kind]) { segments += more }

    /// Records that the last step led to a collection.
    mutating func enterCollection() {
        stepsToCollection = stepsToCollection ?? segments.count
        stepsToLastCollection = segments.count
    }

    /// Appends the name of a property of the value to which the path leads.
    ///
    /// The objects in a map have properties by themselves, and not through its `@values`.
    func member(_ name: String) -> QueryPath {
        var path = self
        if case .attribute("@values")? = segments.last {
            path.segments.removeLast()
            path.stepsToCollection = stepsToCollection.map { min($0, path.segments.count) }
            path.stepsToLastCollection = path.stepsToCollection
        }
        path.append([.name(name)])
        return path
    }

    /// Inserts an aggregate after its collection, before the property of the elements.
    mutating func aggregate(_ name: String) {
        segments.insert(.attribute(name), at: stepsToLastCollection ?? segments.count)
    }
}

extension QueryNode {
    /// The path to the first collection in the first path that contains one.
    var firstCollection: [Path.Segment.Kind]? {
        switch self {
        case .path(let path):
            path.stepsToCollection.map { Array(path.segments.prefix($0)) }
        case .comparison(let left, _, _, let right):
            left.firstCollection ?? right.firstCollection
        case .all(let nodes), .oneOf(let nodes):
            nodes.lazy.compactMap(\.firstCollection).first
        case .any(let node), .not(let node), .within(let node, _, _): node.firstCollection
        case .value, .values, .countOf: nil
        }
    }
}
