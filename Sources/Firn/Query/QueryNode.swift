import FirnQuery

/// What a ``Query`` stands for.
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
    /// Whether a value behind a collection lies between two values, without the upper one.
    case within(QueryNode, Any, Any)
    /// How many objects of the first collection of its paths satisfy a condition.
    case countOf(QueryNode)
}

/// The way from the object to a value.
struct QueryPath: Equatable {
    private(set) var segments: [Path.Segment.Kind] = []
    /// How many steps lead to the first collection, if there is one.
    private(set) var stepsToCollection: Int?
    /// How many steps lead to the last collection.
    private var stepsToLastCollection: Int?

    mutating func append(_ more: [Path.Segment.Kind]) { segments += more }

    /// The last step led to a collection.
    mutating func enterCollection() {
        stepsToCollection = stepsToCollection ?? segments.count
        stepsToLastCollection = segments.count
    }

    /// A reduction stands behind its collection, before the property of the elements.
    mutating func aggregate(_ name: String) {
        segments.insert(.attribute(name), at: stepsToLastCollection ?? segments.count)
    }
}

extension QueryNode {
    /// The way to the collection that the first path with one leads through.
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
