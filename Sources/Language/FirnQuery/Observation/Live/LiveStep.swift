import FirnCodec
package import FirnEngine
import FirnValues

/// One step from one version to another, with the data read from both versions.
///
/// Live queries that take the same step share what they read. An object that a commit touched is
/// located and read once, however many of them need it. The step retains both versions, so it
/// should be released once all live queries have taken it.
///
/// It must be used by one thread at a time.
package final class LiveStep {
    package let old: DatabaseSnapshot
    package let new: DatabaseSnapshot
    package let changes: VersionChanges

    /// The objects of a class in which one of the given properties was written.
    private struct Watch: Hashable {
        let classID: ClassID
        let properties: PropertySet
        /// Whether all properties count, instead of only the given ones.
        let isAll: Bool
    }

    /// A frequent set of observed paths that many observers share.
    private struct CommonPaths: Hashable {
        let classID: ClassID
        let paths: WatchedGraph.CommonPaths
    }

    private var oldReader: SnapshotReader?
    private var newReader: SnapshotReader?
    private var written: [ClassID: PropertySet] = [:]
    private var touched: [Watch: TouchedRows] = [:]
    private var affected: [CommonPaths: [RowID: PropertySet]] = [:]

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - old: the current version of the live queries.
    ///   - new: the version that the step leads to.
    ///   - changes: the differences between the two versions.
    package init(
        from old: DatabaseSnapshot, to new: DatabaseSnapshot, by changes: VersionChanges
    ) {
        self.old = old
        self.new = new
        self.changes = changes
    }

    /// The same step for a live query that cannot share reads.
    var alone: LiveStep { LiveStep(from: old, to: new, by: changes) }

    // MARK: Reading

    /// Reads objects in the old version.
    var before: SnapshotReader {
        if let oldReader { return oldReader }
        let reader = SnapshotReader(old.snapshot, isPointLookup: true)
        oldReader = reader
        return reader
    }

    /// Reads objects in the new version.
    var after: SnapshotReader {
        if let newReader { return newReader }
        let reader = SnapshotReader(new.snapshot, isPointLookup: true)
        newReader = reader
        return reader
    }

    // MARK: Touched objects

    /// Returns whether a graph watches any of the changes, judging by classes and properties.
    func concerns(_ graph: WatchedGraph) -> Bool {
        graph.nodes.contains { node in
            guard let changed = changes.classes[node.schema.id] else { return false }
            if node.watchesExistence, !changed.created.isEmpty || !changed.deleted.isEmpty {
                return true
            }
            return !changed.modified.isEmpty && node.watches(written(changed, node.schema.id))
        }
    }

    /// Returns the properties that were written in any object of a class.
    private func written(_ changes: ClassChanges, _ classID: ClassID) -> PropertySet {
        if let known = written[classID] { return known }
        var properties = PropertySet()
        for object in changes.modified { properties.formUnion(object.properties) }
        written[classID] = properties
        return properties
    }

    /// Returns the root objects from which the observed graph reaches a change, and for each the
    /// properties through which it does.
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

    /// Returns the objects that were created or deleted, or that a graph leads back to.
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
        // Objects found by following links backward may also have been created or deleted.
        all = Set(all).sorted()
        guard !all.isEmpty else { return TouchedRows() }
        let objects = try after.pointReader(of: schema)
        let batch = BatchRows(try objects.locate(all))
        let ids = try objects.rowIDs(of: batch)
        return TouchedRows(
            rows: all, found: batch,
            foundRows: (0..<ids.count).map { RowID(UInt64(bitPattern: ids.ints[$0])) })
    }
}

/// The objects of a class that a step touched.
struct TouchedRows {
    /// The row ids, ascending.
    ///
    /// Deleted objects are included.
    var rows: [RowID] = []
    /// The locations of the objects that exist.
    var found = BatchRows.scattered([])
    /// The row ids of the objects that exist, parallel to ``found``, ascending.
    var foundRows: [RowID] = []
}
