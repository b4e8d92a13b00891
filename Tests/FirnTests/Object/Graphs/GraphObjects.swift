import Firn

class GraphNode: Object {
    @Persisted var name = ""
    @Persisted var next: GraphNode?
    @Persisted var children: List<GraphNode>
    @Persisted var keyed: KeyedGraphNode?
    @Persisted var part: GraphPart?
    @Persisted var named: Map<String, GraphNode?>
    @Persisted var any: AnyRealmValue
}

class KeyedGraphNode: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var next: KeyedGraphNode?
    @Persisted var nodes: List<GraphNode>
    @Persisted var part: GraphPart?
}

class GraphPart: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var node: GraphNode?
}
