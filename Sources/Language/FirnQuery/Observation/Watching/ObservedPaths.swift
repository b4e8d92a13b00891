import FirnEngine
import FirnValues

/// The changes that count as a modification of a member of a live result.
package enum ObservedPaths: Hashable, Sendable {
    /// None: only insertions and deletions are observed.
    case membership
    /// Changes to the object itself, including new link targets and edits of its collections.
    case own
    /// Changes to the object itself, and to objects at most three links away.
    case reachable
    /// Changes to any element of one of the given paths.
    ///
    /// A path that ends in a link or a collection counts as changed if the link is set or the
    /// collection is edited, but not if the objects that it leads to are modified.
    case paths([BoundPath])
    /// Changes to anything that one of the given values depends on.
    case values([BoundExpression])
}

extension WatchedGraph {
    /// The number of links within which an object is reachable.
    private static let reachableLinkCount = 3

    /// Creates the graph of the observed properties of a result's members.
    ///
    /// - Returns: `nil` if nothing is observed.
    init?(_ observed: ObservedPaths, of root: ClassSchema, in schema: Schema) {
        self.init(root)
        switch observed {
        case .membership: return nil
        case .own:
            watchAll(rootNode)
            commonPaths = .own
        case .reachable:
            watchReachable(in: schema)
            commonPaths = .reachable
        case .paths(let paths):
            guard !paths.isEmpty else { return nil }
            for path in paths { add(path, from: rootNode, in: schema) }
        case .values(let expressions):
            guard !expressions.isEmpty else { return nil }
            for expression in expressions { add(expression, from: rootNode, in: schema) }
        }
    }

    /// Adds one node per class and distance, however the links are combined on the way.
    private mutating func watchReachable(in schema: Schema) {
        watchAll(rootNode)
        var level = [rootNode]
        for _ in 0..<Self.reachableLinkCount {
            var next: [ClassID: Int] = [:]
            for node in level {
                for property in nodes[node].schema.properties where property.mayLink {
                    for target in schema.targets(of: property) {
                        let child = next[target.id] ?? addNode(target)
                        next[target.id] = child
                        watchAll(child)
                        connect(node, to: child, by: .forward(property))
                    }
                }
            }
            level = next.values.sorted()
        }
    }
}

extension Schema {
    /// Returns the classes that a property can link to.
    fileprivate func targets(of property: PropertySchema) -> [ClassSchema] {
        guard property.type.base == .link else { return classes }
        return property.type.target.flatMap { self[$0] }.map { [$0] } ?? []
    }
}
