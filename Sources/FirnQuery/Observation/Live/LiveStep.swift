import FirnCodec
package import FirnEngine
import FirnValues

/// One step from a version to another, with what is read of both versions for those who take it.
///
/// Live queries that take the same step share what they read: an object that a commit touched is
/// found and read once, however many of them look at it. It holds both versions, so it is to be
/// dropped once all have taken it.
///
/// Belongs to one thread at a time.
package final class LiveStep {
    package let old: DatabaseSnapshot
    package let new: DatabaseSnapshot
    package let changes: VersionChanges

    /// Of objects of some class, those that have one of some properties.
    private struct Watch: Hashable {
        let classID: ClassID
        let properties: PropertySet
        /// All properties count, not only those.
        let isAll: Bool
    }

    /// What is often observed, the same by many.
    private struct CommonPaths: Hashable {
        let classID: ClassID
        let paths: WatchedGraph.CommonPaths
    }

    private var oldReader: SnapshotReader?
    private var newReader: SnapshotReader?
    private var written: [ClassID: PropertySet] = [:]
    private var touched: [Watch: TouchedRows] = [:]
    private var affected: [CommonPaths: [RowID: PropertySet]] = [:]

    /// - Parameters:
    ///   - old: the version that those are at who take the step.
    ///   - new: the one that it leads to.
    ///   - changes: what differs between the two.
    package init(
        from old: DatabaseSnapshot, to new: DatabaseSnapshot, by changes: VersionChanges
    ) {
        self.old = old
        self.new = new
        self.changes = changes
    }

    /// The same step for one who can share nothing.
    var alone: LiveStep { LiveStep(from: old, to: new, by: changes) }

    // MARK: Reading

    /// Reads objects as they were.
    var before: SnapshotReader {
        if let oldReader { return oldReader }
        let reader = SnapshotReader(old.snapshot, isPointLookup: true)
        oldReader = reader
        return reader
    }

    /// Reads objects as they are.
    var after: SnapshotReader {
        if let newReader { return newReader }
        let reader = SnapshotReader(new.snapshot, isPointLookup: true)
        newReader = reader
        return reader
    }

    // MARK: What was touched

    /// Whether anything happened that a graph watches, as far as classes and properties say.
    func concerns(_ graph: WatchedGraph) -> Bool {
        graph.nodes.contains { node in
            guard let changed = changes.classes[node.schema.id] else { return false }
            if node.watchesExistence, !changed.created.isEmpty || !changed.deleted.isEmpty {
                return true
            }
            return !changed.modified.isEmpty && node.watches(written(changed, node.schema.id))
        }
    }

    /// The properties that were written of any object of a class.
    private func written(_ changes: ClassChanges, _ classID: ClassID) -> PropertySet {
        if let known = written[classID] { return known }
        var properties = PropertySet()
        for object in changes.modified { properties.formUnion(object.properties) }
        written[classID] = properties
        return properties
    }

    /// The objects of the root that a graph leads back to, with the properties that lead there.
    func affected(_ graph: WatchedGraph?) throws(StoreError) -> [RowID: PropertySet] {
        guard let graph, concerns(graph) else { return [:] }
        guard let common = graph.commonPaths else {
            return try AffectedRows(graph, from: old, to: new).found(by: changes)
        }
        let key = CommonPaths(classID: graph.root.schema.id, paths: common)
        if let known = affected[key] { return known }
        let found = try AffectedRows(graph, from: old, to: new).found(by: changes)
        affected[key] = found
        return found
    }

    /// The objects that came or went, or that a graph leads back to.
    func touched(_ graph: WatchedGraph) throws(StoreError) -> TouchedRows {
        let root = graph.root
        guard !graph.leavesRoot else {
            return try found(root.schema, Array(try affected(graph).keys))
        }
        let key = Watch(
            classID: root.schema.id, properties: root.properties, isAll: root.watchesAll)
        if let known = touched[key] { return known }
        let written = changes.classes[root.schema.id]?.modified ?? []
        let found = try found(
            root.schema, written.filter { root.watches($0.properties) }.map(\.row))
        touched[key] = found
        return found
    }

    private func found(
        _ schema: ClassSchema, _ rows: [RowID]
    ) throws(StoreError) -> TouchedRows {
        var all = rows
        if let changed = changes.classes[schema.id] { all += changed.created + changed.deleted }
        // What is found backwards may have come or gone, too.
        all = Set(all).sorted()
        guard !all.isEmpty else { return TouchedRows() }
        let objects = try after.pickedObjects(of: schema)
        let batch = BatchRows(try objects.locate(all))
        let ids = try objects.rowIDs(of: batch)
        return TouchedRows(
            rows: all, found: batch,
            foundRows: (0..<ids.count).map { RowID(UInt64(bitPattern: ids.ints[$0])) })
    }
}

/// Objects of a class that a step touched.
struct TouchedRows {
    /// Ascending; those that are gone are among them.
    var rows: [RowID] = []
    /// Where those are that exist.
    var found = BatchRows.scattered([])
    /// Parallel to ``found``, ascending.
    var foundRows: [RowID] = []
}
