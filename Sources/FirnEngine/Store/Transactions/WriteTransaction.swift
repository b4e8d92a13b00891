import FirnCodec
import FirnPlatform
package import FirnValues
import HashTreeCollections

/// The only way to change a database: operations into an overlay, seen by the transaction's own
/// queries, and published as a whole by ``commit()``.
///
/// Belongs to one thread. Dropping it without a commit rolls back.
package final class WriteTransaction {
    enum Phase {
        case open
        case ended
    }

    let store: Store
    let base: Snapshot
    var overlay: Overlay
    var writer: PageWriter
    /// Rows created since the last seal, by class.
    var created: [ClassID: CreatedRows] = [:]
    /// A key that none of the class is above, while keys ascend, once it was asked for.
    var greatestKeys: [ClassID: Value] = [:]
    /// Embedded objects that no object holds yet.
    var orphans: Set<ObjectReference> = []
    /// What was done so far.
    package var counts = TransactionCounts()
    /// Classes whose bulk load has begun and is not finished: its groups are on disk, and only
    /// ``BulkLoader/finish()`` makes them known.
    var loading: Set<ClassID> = []
    private var phase = Phase.open

    init(store: Store, base: Snapshot, writer: PageWriter) {
        self.store = store
        self.base = base
        self.writer = writer
        overlay = Overlay(catalog: base.root.catalog)
    }

    deinit { rollback() }

    /// The classes as this transaction has them.
    package var schema: Schema { overlay.catalog.schema }

    /// The database as this transaction has it so far.
    ///
    /// Rows of a bulk load can be read in it only until the transaction is rolled back.
    ///
    /// - Complexity: O(rows created since the last call)
    package func snapshot() throws(StoreError) -> Snapshot {
        try sealAll()
        return base.with(overlay)
    }

    /// Applies one operation.
    ///
    /// - Returns: the identity of the created object for `create`, else `nil`.
    /// - Throws: ``StoreError`` by the rules of the data: unknown class, property or object, wrong
    ///   type, missing value, duplicate key. The operation then changed nothing.
    @discardableResult
    package func apply(_ operation: Operation) throws(StoreError) -> RowID? {
        try checkOpen()
        switch operation {
        case .schema(let change):
            try apply(change)
            return nil
        case .create(let classID, let row, let values):
            return try create(in: classID, values, at: row)
        case .set(let classID, let row, let property, let value):
            try set(property, of: row, in: classID, to: value)
            return nil
        case .edit(let classID, let row, let property, let change):
            try edit(property, of: row, in: classID, change)
            return nil
        case .delete(let classID, let row):
            try delete(row, in: classID)
            return nil
        case .freeze(let freeze):
            try self.freeze(freeze)
            return nil
        case .dropFreeze(let name):
            try dropFreeze(name)
            return nil
        }
    }

    /// Folds the overlay into pages and makes them the newest version.
    ///
    /// - Returns: the version; the one before if there was nothing to commit.
    /// - Throws: ``StoreError``; the database is as before, unless the error says that the outcome is
    ///   unknown. Either way the transaction has ended.
    /// - Complexity: O(operations) and one sync with a log; O(row groups touched) and two syncs
    ///   without.
    package func commit() throws(StoreError) -> LSN {
        try checkOpen()
        defer { end() }
        try store.checkProcess()
        guard loading.isEmpty else {
            throw StoreError(
                .invalidSchema, path: store.path, detail: "a bulk load is not finished")
        }
        try checkOrphans()
        try sealAll()
        guard !overlay.isEmpty else { return base.version }
        return try store.commit(self)
    }

    /// An embedded object without a parent could never be reached, nor be deleted.
    private func checkOrphans() throws(StoreError) {
        guard let orphan = orphans.min(by: { ($0.classID, $0.rowID) < ($1.classID, $1.rowID) })
        else { return }
        let name = overlay.catalog[orphan.classID]?.schema.name ?? ""
        throw StoreError(
            .embeddedParent, path: store.path,
            detail: "no object holds the embedded \(name) with @id \(orphan.rowID.rawValue)")
    }

    /// Forgets everything.
    package func rollback() {
        if phase == .open { end() }
    }

    func checkOpen() throws(StoreError) {
        guard phase == .open else {
            throw StoreError(
                .invalidSchema, path: store.path, detail: "the transaction has ended already")
        }
    }

    private func end() {
        phase = .ended
        overlay = Overlay(catalog: base.root.catalog)
        created = [:]
        store.releaseWriter()
    }
}
