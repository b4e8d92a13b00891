import FirnEngine
import FirnValues

/// The properties that a condition or value of the objects of a class depends on.
///
/// The graph includes properties of the objects themselves, and of objects that are reached through
/// links and inverse links.
///
///     plane.seats of a Flight          Flight [plane] --plane--> Plane [seats]
///     flights.number of a Plane        Plane [] <--plane-- Flight [plane, number]
///
/// Nodes are classes with the properties that are watched there. An edge leads only to a node with
/// a higher number.
struct WatchedGraph {
    /// The direction in which objects of one node lead to the objects of the next.
    enum Way: Hashable {
        /// Through a property of these objects.
        case forward(PropertySchema)
        /// Through a property of the other objects, backward.
        case backward(PropertySchema)
    }

    /// An edge that leads to a node.
    struct Edge: Hashable {
        let origin: Int
        let way: Way
    }

    struct Node {
        let schema: ClassSchema
        var properties = PropertySet()
        /// Whether every property is watched.
        var watchesAll = false
        /// Whether creating or deleting an object matters, because it is reached backward.
        var watchesExistence = false
        /// The edges that lead to this node.
        var edges: [Edge] = []
    }

    /// The sets of watched paths that are shared by all graphs of a class.
    enum CommonPaths: Hashable {
        case own
        case reachable
    }

    private(set) var nodes: [Node]
    /// The shared set of watched paths; `nil` for any other set.
    var commonPaths: CommonPaths?
    /// The node that an edge from another node leads to.
    private var children: [Edge: Int] = [:]

    init(_ root: ClassSchema) { nodes = [Node(schema: root)] }

    /// The node of the objects that depend on all others.
    var rootNode: Int { 0 }

    /// The node with the watched properties of the objects themselves.
    var root: Node { nodes[0] }

    /// Whether properties of other objects are watched.
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

    /// Follows a link of a node, and watches it.
    mutating func follow(
        _ property: PropertySchema, from node: Int, to target: ClassSchema
    ) -> Int {
        watch(property, at: node)
        return child(of: node, target, by: .forward(property))
    }

    /// Follows links to a node backward.
    ///
    /// Watches the links, and the creation and deletion of their sources.
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
