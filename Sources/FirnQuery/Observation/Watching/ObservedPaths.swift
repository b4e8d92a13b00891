import FirnEngine
import FirnValues

/// What counts as a modification of a member of a live result.
package enum ObservedPaths: Hashable, Sendable {
    /// Nothing: only what comes and goes.
    case membership
    /// What was written to the object itself; of a link, another target, of a collection, its own
    /// edits.
    case own
    /// That, and what was written to objects at most three links away.
    case reachable
    /// A change at any element of one of these paths. A path that ends in a link or a collection
    /// counts when that is set or edited, not when the objects that it leads to are.
    case paths([BoundPath])
}

extension WatchedGraph {
    /// So many links away an object still belongs to another.
    private static let reachableLinkCount = 3

    /// What is to be watched of the members of a result.
    ///
    /// - Returns: `nil` if nothing is.
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
        }
    }

    /// One node per class and distance: how the links cross on the way does not matter.
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
    /// The classes that a property may link to.
    fileprivate func targets(of property: PropertySchema) -> [ClassSchema] {
        guard property.type.base == .link else { return classes }
        return property.type.target.flatMap { self[$0] }.map { [$0] } ?? []
    }
}
