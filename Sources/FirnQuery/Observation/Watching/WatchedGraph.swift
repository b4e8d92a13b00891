import FirnEngine
import FirnValues

/// The properties that something about the objects of a class depends on: those of the objects
/// themselves, and those of objects on the ways over links and inverse links.
///
///     plane.seats of a Flight          Flight [plane] --plane--> Plane [seats]
///     flights.number of a Plane        Plane [] <--plane-- Flight [plane, number]
///
/// Nodes are classes with the properties that are watched there; a way leads only to nodes with
/// higher numbers.
struct WatchedGraph {
    /// How objects of one node lead to those of the next.
    enum Way: Hashable {
        /// Over a property of theirs.
        case forward(PropertySchema)
        /// Over a property of the others, backwards.
        case backward(PropertySchema)
    }

    /// A way that leads to a node.
    struct Edge: Hashable {
        let origin: Int
        let way: Way
    }

    struct Node {
        let schema: ClassSchema
        var properties = PropertySet()
        /// Whether every property is watched.
        var watchesAll = false
        /// Whether an object matters that comes or goes: it is looked for backwards.
        var watchesExistence = false
        /// The ways that lead here.
        var edges: [Edge] = []
    }

    /// What every graph watches that is made for the same class.
    enum CommonPaths: Hashable {
        case own
        case reachable
    }

    private(set) var nodes: [Node]
    /// `nil` if it watches something special.
    var commonPaths: CommonPaths?
    /// Which node a way from another leads to.
    private var children: [Edge: Int] = [:]

    init(_ root: ClassSchema) { nodes = [Node(schema: root)] }

    /// Where the objects are that depend on all others.
    var rootNode: Int { 0 }

    /// What is watched of the objects themselves.
    var root: Node { nodes[0] }

    /// Whether anything but the objects themselves is watched.
    var leavesRoot: Bool { nodes.count > 1 }

    // MARK: Building

    mutating func watch(_ property: PropertySchema, at node: Int) {
        nodes[node].properties.insert(property.id)
    }

    mutating func watchAll(_ node: Int) { nodes[node].watchesAll = true }

    mutating func addNode(_ schema: ClassSchema) -> Int {
        nodes.append(Node(schema: schema))
        return nodes.count - 1
    }

    mutating func connect(_ origin: Int, to node: Int, by way: Way) {
        let edge = Edge(origin: origin, way: way)
        children[edge] = node
        nodes[node].edges.append(edge)
    }

    /// Follows a link of a node, which is watched with that.
    mutating func follow(
        _ property: PropertySchema, from node: Int, to target: ClassSchema
    ) -> Int {
        watch(property, at: node)
        return child(of: node, target, by: .forward(property))
    }

    /// Follows links to a node backwards; the links, and who has them, are watched with that.
    mutating func follow(
        backwards property: PropertySchema, from node: Int, to source: ClassSchema
    ) -> Int {
        let child = child(of: node, source, by: .backward(property))
        watch(property, at: child)
        nodes[child].watchesExistence = true
        return child
    }

    private mutating func child(of node: Int, _ schema: ClassSchema, by way: Way) -> Int {
        if let known = children[Edge(origin: node, way: way)], nodes[known].schema.id == schema.id {
            return known
        }
        let child = addNode(schema)
        connect(node, to: child, by: way)
        return child
    }
}
