import FirnEngine
import FirnValues

/// Finds the objects that a change affects.
///
/// The search starts at the objects that were written, and follows the edges of a graph backward.
/// Edges over links are followed only in the new version: an object that led to a change only in
/// the old version was itself written, or lost its link to a deleted object, which counts as a
/// write. Edges over inverse links are followed to the link targets in both versions.
struct AffectedRows {
    let graph: WatchedGraph
    let old: Snapshot
    let new: Snapshot

    init(_ graph: WatchedGraph, from old: DatabaseSnapshot, to new: DatabaseSnapshot) {
        self.graph = graph
        self.old = old.snapshot
        self.new = new.snapshot
    }

    /// Returns the affected root objects, each with the properties through which it is affected.
    ///
    /// Objects that were created or deleted may or may not be included.
    ///
    /// - Complexity: O(k log n) for k objects that were written or are on the paths from them
    func found(by changes: VersionChanges) throws(StoreError) -> [RowID: PropertySet] {
        var affected: [RowID: PropertySet] = [:]
        /// The objects of the other nodes.
        var reached = [Set<RowID>](repeating: [], count: graph.nodes.count)
        for number in graph.nodes.indices.reversed() {
            let node = graph.nodes[number]
            if number == graph.rootNode {
                addWritten(to: &affected, node, changes)
                break
            }
            addWritten(to: &reached[number], node, changes)
            guard !reached[number].isEmpty else { continue }
            let rows = reached[number].sorted()
            for edge in node.edges {
                let origins = try origins(of: rows, in: node.schema, edge)
                guard edge.origin == graph.rootNode else {
                    reached[edge.origin].formUnion(origins)
                    continue
                }
                for row in origins {
                    // An object that is reached through an inverse link has no property for it.
                    affected[row, default: PropertySet()].formUnion(edge.way.properties)
                }
            }
            reached[number] = []
        }
        return affected
    }

    private func addWritten(
        to affected: inout [RowID: PropertySet], _ node: WatchedGraph.Node,
        _ changes: VersionChanges
    ) {
        for object in changes.classes[node.schema.id]?.modified ?? [] {
            guard let properties = node.watched(of: object.properties) else { continue }
            affected[object.row, default: PropertySet()].formUnion(properties)
        }
    }

    private func addWritten(
        to rows: inout Set<RowID>, _ node: WatchedGraph.Node, _ changes: VersionChanges
    ) {
        guard let changed = changes.classes[node.schema.id] else { return }
        for object in changed.modified where node.watches(object.properties) {
            rows.insert(object.row)
        }
        guard node.watchesExistence else { return }
        rows.formUnion(changed.created)
        rows.formUnion(changed.deleted)
    }

    /// Returns the objects that lead to the given objects.
    ///
    /// - Parameter rows: ascending row ids.
    private func origins(
        of rows: [RowID], in schema: ClassSchema, _ edge: WatchedGraph.Edge
    ) throws(StoreError) -> [RowID] {
        let origin = graph.nodes[edge.origin].schema
        switch edge.way {
        case .forward(let property):
            return try new.sources(of: rows, in: schema.id, through: property, of: origin).rows
        case .backward(let property):
            return try targets(of: rows, property, schema, origin, in: old)
                + targets(of: rows, property, schema, origin, in: new)
        }
    }

    private func targets(
        of rows: [RowID], _ property: PropertySchema, _ schema: ClassSchema,
        _ origin: ClassSchema, in snapshot: Snapshot
    ) throws(StoreError) -> [RowID] {
        guard let cursor = ObjectCursor(snapshot, schema.id, [property]) else { return [] }
        var targets: [RowID] = []
        for row in rows {
            guard try cursor.move(to: row) else { continue }
            for target in try cursor.value(0).linkTargets where target.classID == origin.id {
                targets.append(target.rowID)
            }
        }
        return targets
    }
}

extension WatchedGraph.Way {
    /// The property of the objects at the start of the edge.
    fileprivate var properties: PropertySet {
        switch self {
        case .forward(let property): PropertySet([property.id])
        case .backward: PropertySet()
        }
    }
}

extension WatchedGraph.Node {
    /// Returns whether any of the given properties is watched.
    func watches(_ written: PropertySet) -> Bool {
        watchesAll || properties.intersects(written)
    }

    /// Returns the watched properties among the given ones; `nil` if there are none.
    func watched(of written: PropertySet) -> PropertySet? {
        if watchesAll { return written }
        guard properties.intersects(written) else { return nil }
        var watched = PropertySet()
        func add(_ property: PropertyID) {
            if properties.contains(property) { watched.insert(property) }
        }
        written.forEach(add)
        return watched
    }
}
