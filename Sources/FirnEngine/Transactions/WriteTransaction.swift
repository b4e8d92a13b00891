import FirnCodec
import FirnPlatform
package import FirnValues
import HashTreeCollections

/// What a transaction needs of the file that it changes.
struct TransactionStore {
    let path: String
    let pages: PageStore
    let options: StoreOptions
}

/// Space to write pages into, and the version whose root it was opened for.
struct OpenedPages {
    let base: Snapshot
    let writer: PageWriter
}

/// The only way to change a database: operations into an overlay, seen by the transaction's own
/// queries, and published as a whole by ``commit()``.
///
/// Belongs to one thread. Dropping it without a commit rolls back.
///
///     overlay     all that differs from the root of the base: what earlier commits laid over it,
///                 and what this transaction did
///     recorded    what this transaction did, as operations; a commit of a log is only that
///     writer      space for pages, opened by the first step that needs some
package final class WriteTransaction {
    enum Phase {
        case open
        case ended
    }

    let store: TransactionStore
    /// Who commits; a replay has nobody.
    let publisher: Store?
    /// The version that this transaction changes.
    ///
    /// Its root may give way to a newer one with the same content, as long as no pages are open.
    package private(set) var base: Snapshot
    // Exclusivity is not checked at run time where every operation passes: closures that change one
    // of these never look at it, and the checks took a tenth of the time of creating an object.
    @exclusivity(unchecked) var overlay: Overlay
    /// Rows created since the last seal, by class.
    @exclusivity(unchecked) var created = ClassMap<InsertBuffer>()
    /// A key that none of the class is above, while keys ascend, once it was asked for.
    @exclusivity(unchecked) var maxKeyBounds = ClassMap<Value>()
    /// What operations ask of the classes again and again; see ``plan(of:)``.
    var plans: [ClassID: ClassWriteCache] = [:]
    @exclusivity(unchecked) var lastPlan: ClassWriteCache?
    /// Embedded objects that no object holds yet.
    @exclusivity(unchecked) var orphans: Set<ObjectReference> = []
    /// What was done so far.
    package var counts = TransactionCounts()
    /// Classes whose bulk load has begun and is not finished: its groups are on disk, and only
    /// ``BulkLoader/finish()`` makes them known.
    var loading: Set<ClassID> = []
    /// The operations so far; `nil` if they are not recorded, or not any more.
    @exclusivity(unchecked) var recorded: RecordedOperations?
    /// Whether anything was done.
    @exclusivity(unchecked) var hasChanges = false
    /// How many operations were done, whatever they did.
    ///
    /// Unlike ``counts`` it also sees edits of collections.
    @exclusivity(unchecked) package internal(set) var operationCount: UInt64 = 0
    /// How many of them took something away and added nothing.
    var removalCount: UInt64 = 0
    /// Whether nothing was done but to remove; such a commit goes through on a full disk.
    var onlyRemoves: Bool { removalCount > 0 && removalCount == operationCount }
    /// Whether giving a property the value that it has is a change for those who observe it.
    ///
    /// Programs mean it so; commands that say what the objects are to be do not.
    package var recordsRewrites = false
    /// How many operations are under way, one inside of the other.
    @exclusivity(unchecked) var operationDepth = 0
    /// How many steps are under way that may be taken back.
    var attemptDepth = 0
    private var writer: PageWriter?
    private let openPageWriter: () throws(StoreError) -> OpenedPages
    @exclusivity(unchecked) private var phase = Phase.open

    /// Begins a transaction; the caller holds the writer lock.
    ///
    /// - Parameters:
    ///   - isRecording: whether ``recorded`` is wanted.
    ///   - openPages: finds space for pages, and the newest root, which is not given back before the
    ///     transaction ends. The root may be newer than that of `base`, if operations are recorded;
    ///     the content never is.
    init(
        store: Store, base: Snapshot, isRecording: Bool,
        openPages: @escaping () throws(StoreError) -> OpenedPages
    ) {
        self.store = TransactionStore(
            path: store.path, pages: store.pages, options: store.options)
        publisher = store
        self.base = base
        overlay = base.overlay ?? Overlay(catalog: base.root.catalog)
        recorded = isRecording ? RecordedOperations() : nil
        openPageWriter = openPages
    }

    /// Begins a replay of operations, which writes no pages and commits nothing.
    init(replayingOnto base: Snapshot) {
        var options = StoreOptions()
        options.rowsPerGroup = base.rowsPerGroup
        store = TransactionStore(path: base.path, pages: base.pages, options: options)
        publisher = nil
        self.base = base
        overlay = base.overlay ?? Overlay(catalog: base.root.catalog)
        let path = base.path
        openPageWriter = { () throws(StoreError) in
            throw .corrupt(path, "a commit of the log would write pages")
        }
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

    // MARK: Pages

    /// Whether space for pages is open.
    var hasPages: Bool { writer != nil }

    /// Opens space for pages, unless it is open.
    ///
    /// If the root has moved on meanwhile, the transaction moves with it: it does again on the newer
    /// root what it recorded. Not in the middle of an operation, which would be half lost.
    func openPages() throws(StoreError) {
        guard writer == nil else { return }
        let opened = try openPageWriter()
        writer = opened.writer
        guard opened.base.root !== base.root else { return }
        precondition(
            operationDepth == 0 && (recorded != nil || !hasChanges),
            "a transaction that is not recorded keeps its root")
        try rebase(onto: opened.base)
    }

    /// Opens space for pages and records nothing any more: the commit is its pages.
    func becomeBulk() throws(StoreError) {
        try openPages()
        recorded = nil
    }

    /// Writes pages.
    func withPages<Result>(
        _ body: (inout PageWriter) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try openPages()
        // Taken out, because a second copy would make each change copy the free space.
        guard var writer = self.writer.take() else { throw ended }
        defer { self.writer = writer }
        return try body(&writer)
    }

    /// Writes all that differs from the root; the transaction writes no more pages then.
    ///
    /// - Returns: the catalog of the new root, and the writer that it is to be written with.
    func fold() throws(StoreError) -> (catalog: Catalog, writer: PageWriter) {
        guard let publisher else { throw ended }
        let catalog = try withPages { writer throws(StoreError) in
            try Fold(base: base, overlay: overlay, store: publisher).write(&writer)
        }
        guard let writer = self.writer.take() else { throw ended }
        return (catalog, writer)
    }

    /// Gives back the space of pages that this transaction wrote and that nothing leads to.
    func giveBack(_ extents: [Extent]) {
        for extent in extents { writer?.space.giveBack(extent) }
    }

    /// Goes on with other space for pages, and with a root that has the same content.
    func move(to newer: Snapshot, _ writer: PageWriter) {
        base = newer
        self.writer = writer
    }

    /// Does again what was recorded, upon a root that has what the base has over its root.
    func redo(on newer: Snapshot, _ writer: PageWriter) throws(StoreError) {
        self.writer = writer
        try rebase(onto: newer)
        try sealAll()
    }

    private func rebase(onto newer: Snapshot) throws(StoreError) {
        let counts = self.counts
        let (operationCount, removalCount) = (self.operationCount, self.removalCount)
        let recorded = self.recorded
        base = newer
        overlay = newer.overlay ?? Overlay(catalog: newer.root.catalog)
        forgetPlans()
        created = ClassMap()
        maxKeyBounds = ClassMap()
        orphans = []
        self.recorded = nil
        do throws(StoreError) {
            try recorded?.forEach(in: store.path) { operation throws(StoreError) in
                try apply(operation)
            }
        } catch {
            rollback()
            throw error
        }
        self.recorded = recorded
        self.counts = counts
        self.operationCount = operationCount
        self.removalCount = removalCount
    }

    // MARK: End

    /// Makes what was done the newest version, durably.
    ///
    /// - Returns: the version; the one before if there was nothing to commit.
    /// - Throws: ``StoreError``; the database is as before, unless the error says that the outcome is
    ///   unknown. Either way the transaction has ended.
    /// - Complexity: O(operations) and one sync with a log; O(row groups touched) and two syncs
    ///   without.
    package func commit() throws(StoreError) -> LSN {
        try checkOpen()
        defer { rollback() }
        try publisher?.checkProcess()
        guard loading.isEmpty else {
            throw StoreError(
                .invalidSchema, path: store.path, detail: "a bulk load is not finished")
        }
        try checkOrphans()
        guard hasChanges, let publisher else { return base.version }
        try becomeBulkIfLarge()
        try sealAll()
        return try publisher.commit(self)
    }

    /// An embedded object without a parent could never be reached, nor be deleted.
    func checkOrphans() throws(StoreError) {
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
        guard phase == .open else { throw ended }
    }

    private var ended: StoreError {
        StoreError(
            .invalidSchema, path: store.path, detail: "the transaction has ended already")
    }

    /// Gives the writer lock back; nothing more can be done.
    func end() {
        phase = .ended
        overlay = Overlay(catalog: base.root.catalog)
        forgetPlans()
        created = ClassMap()
        writer = nil
        recorded = nil
        publisher?.releaseWriter()
    }
}
