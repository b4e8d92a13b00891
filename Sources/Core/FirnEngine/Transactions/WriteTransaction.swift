import FirnCodec
import FirnPlatform
package import FirnValues
import HashTreeCollections

/// The parts of the store that a transaction needs.
struct TransactionStore {
    let path: String
    let pages: PageStore
    let options: StoreOptions
}

/// Space for writing pages, and the version for whose root it was opened.
struct OpenedPages {
    let base: Snapshot
    let writer: PageWriter
}

/// A transaction, which is the only way to change a database.
///
/// It collects operations in an overlay, which the transaction's own queries read, and publishes
/// them as a whole by ``commit()``. It belongs to one thread. Dropping it without a commit rolls
/// back.
///
///     overlay     all differences from the root of the base: those of earlier commits, and
///                 those of this transaction
///     recorded    the operations of this transaction; a commit to a log consists only of them
///     writer      space for pages, opened by the first step that needs some
package final class WriteTransaction {
    enum Phase {
        case open
        case ended
    }

    let store: TransactionStore
    /// The store that commits; `nil` for a replay.
    let publisher: Store?
    /// The version that this transaction changes.
    ///
    /// Its root may be replaced by a newer one with the same content, as long as no pages are open.
    package private(set) var base: Snapshot
    // Exclusivity is not checked at run time where every operation passes: closures that change one
    // of these never access it, and the checks took a tenth of the time of creating an object.
    @exclusivity(unchecked) var overlay: Overlay
    /// The rows created since the last seal, by class.
    @exclusivity(unchecked) var created = ClassMap<InsertBuffer>()
    /// An upper bound of the keys of a class, if it was needed, as long as keys ascend.
    @exclusivity(unchecked) var maxKeyBounds = ClassMap<Value>()
    /// The cached data of the changed classes; see ``plan(of:)``.
    var plans: [ClassID: ClassWriteCache] = [:]
    @exclusivity(unchecked) var lastPlan: ClassWriteCache?
    /// The embedded objects that have no parent yet.
    @exclusivity(unchecked) var orphans: Set<ObjectReference> = []
    /// The numbers of changes so far.
    package var counts = TransactionCounts()
    /// The classes whose bulk load is not finished.
    ///
    /// The groups of the load are on disk, and only ``BulkLoader/finish()`` adds them to the
    /// overlay.
    var loading: Set<ClassID> = []
    /// The operations so far; `nil` if they are not recorded, or no longer recorded.
    @exclusivity(unchecked) var recorded: RecordedOperations?
    /// The values of unique indexes that this transaction claimed.
    var uniqueClaims: [ClassID: UniqueClaims] = [:]
    /// Whether the values of unique indexes are checked by ``checkUniqueValues()`` or the commit
    /// instead of before each change.
    ///
    /// Objects can then exchange their values, or pass them on, in any order of the changes.
    package var checksUniqueAtEnd = false
    /// Whether any change was made.
    @exclusivity(unchecked) package var hasChanges = false
    /// The number of operations so far, whatever their effect.
    ///
    /// Unlike ``counts`` it includes edits of collections.
    @exclusivity(unchecked) package internal(set) var operationCount: UInt64 = 0
    /// The number of these operations that only remove.
    var removalCount: UInt64 = 0
    /// Whether all operations only removed something; such a commit succeeds even on a full disk.
    var onlyRemoves: Bool { removalCount > 0 && removalCount == operationCount }
    /// The author and the note of the commit; nothing is committed if nothing changes.
    package var annotation: Annotation?
    /// A rule that the commit checks first; `nil` for the bookkeeping of the layer that has the rule.
    package var rule: (any CommitRule)?
    /// Whether assigning a property its current value counts as a change for observers.
    ///
    /// This is the expectation of programs, but not of commands that describe the wanted content.
    package var recordsRewrites = false
    /// Whether a link index with many changed links is rebuilt when the changes are folded.
    ///
    /// Until then, a lookup of the objects that link to another scans all links. It is set by
    /// commands that write many objects and rarely look up such links.
    package var rebuildsLinkIndexes = false
    /// The new columns of row groups, which are written when they take too much memory.
    var columnSpill = ColumnSpill()
    /// Whether unlisted links were listed, because a lookup needed them.
    var hasListedLinks = false
    /// The number of operations in progress, nested within each other.
    @exclusivity(unchecked) var operationDepth = 0
    /// The number of steps in progress that may be undone.
    var attemptDepth = 0
    private var writer: PageWriter?
    private let openPageWriter: () throws(StoreError) -> OpenedPages
    @exclusivity(unchecked) private var phase = Phase.open

    /// Begins a transaction; the caller holds the writer lock.
    ///
    /// - Parameters:
    ///   - isRecording: Whether ``recorded`` is needed.
    ///   - openPages: Finds space for pages and the newest root, which stays pinned until the
    ///     transaction ends. The root may be newer than that of `base` if operations are recorded;
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

    /// The classes as of this transaction.
    package var schema: Schema { overlay.catalog.schema }

    /// Returns the database as of this transaction.
    ///
    /// The rows of a bulk load are readable in it only until the transaction is rolled back.
    ///
    /// - Complexity: O(rows created since the last call)
    package func snapshot() throws(StoreError) -> Snapshot {
        try sealAll()
        return base.with(overlay)
    }

    /// Applies one operation.
    ///
    /// - Returns: The identity of the created object for `create`, otherwise `nil`.
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
        case .annotate(let annotation):
            self.annotation = annotation
            return nil
        }
    }

    // MARK: Pages

    /// Whether space for pages is open.
    var hasPages: Bool { writer != nil }

    /// Opens space for pages, unless it is open.
    ///
    /// If the root has changed meanwhile, the transaction replays its recorded operations on the
    /// newer root. This is not possible in the middle of an operation, half of which would be lost.
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

    /// Opens space for pages and stops recording: the commit consists of its pages.
    func becomeBulk() throws(StoreError) {
        try openPages()
        recorded = nil
    }

    /// Writes pages.
    func withPages<Result>(
        _ body: (inout PageWriter) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try openPages()
        // The writer is moved out, because a second copy would make each change copy the free
        // space.
        guard var writer = self.writer.take() else { throw ended }
        defer { self.writer = writer }
        return try body(&writer)
    }

    /// Writes all differences from the root; the transaction writes no pages afterwards.
    ///
    /// - Returns: The catalog of the new root, and the writer for the root.
    func fold() throws(StoreError) -> (catalog: Catalog, writer: PageWriter) {
        guard let publisher else { throw ended }
        let catalog = try withPages { writer throws(StoreError) in
            try Fold(
                base: base, overlay: overlay, store: publisher, written: columnSpill.written,
                checksUnique: true
            ).write(&writer)
        }
        guard let writer = self.writer.take() else { throw ended }
        return (catalog, writer)
    }

    /// Releases the space of pages that this transaction wrote and nothing references.
    func giveBack(_ extents: [Extent]) {
        for extent in extents { writer?.space.giveBack(extent) }
    }

    /// Continues with other space for pages, and with a root that has the same content.
    func move(to newer: Snapshot, _ writer: PageWriter) {
        base = newer
        self.writer = writer
    }

    /// Repeats the recorded operations on a root that has what the base has over its root.
    func redo(on newer: Snapshot, _ writer: PageWriter) throws(StoreError) {
        self.writer = writer
        try rebase(onto: newer)
        try sealAll()
    }

    private func rebase(onto newer: Snapshot) throws(StoreError) {
        let counts = self.counts
        let (operationCount, removalCount) = (self.operationCount, self.removalCount)
        let recorded = self.recorded
        let checksUniqueAtEnd = self.checksUniqueAtEnd
        base = newer
        overlay = newer.overlay ?? Overlay(catalog: newer.root.catalog)
        forgetPlans()
        created = ClassMap()
        maxKeyBounds = ClassMap()
        for claims in uniqueClaims.values { claims.forgetReaders() }
        orphans = []
        self.recorded = nil
        // Steps that are checked together might contradict each other one by one.
        self.checksUniqueAtEnd = true
        do throws(StoreError) {
            try recorded?.forEach(in: store.path) { operation throws(StoreError) in
                try apply(operation)
            }
        } catch {
            rollback()
            throw error
        }
        self.recorded = recorded
        self.checksUniqueAtEnd = checksUniqueAtEnd
        self.counts = counts
        self.operationCount = operationCount
        self.removalCount = removalCount
    }

    // MARK: Commit and rollback

    /// Commits the changes durably as the newest version.
    ///
    /// - Returns: The new version, or the previous one if there was nothing to commit.
    /// - Throws: ``StoreError``, also that of ``rule``; the database is unchanged, unless the error says
    ///   that the outcome is unknown. In either case the transaction has ended.
    /// - Complexity: O(operations) and one sync with a log; O(row groups touched) and two syncs
    ///   without.
    package func commit() throws(StoreError) -> LSN {
        try checkOpen()
        defer { rollback() }
        try publisher?.checkProcess()
        try rule?.apply(to: self)
        guard loading.isEmpty else {
            throw StoreError(
                .invalidSchema, path: store.path, detail: "a bulk load is not finished")
        }
        try checkOrphans()
        try checkUniqueValues()
        guard hasChanges, let publisher else { return base.version }
        try becomeBulkIfLarge()
        if needsRootForAnnotation(publisher) { try becomeBulk() }
        try sealAll()
        return try publisher.commit(self)
    }

    /// Whether the commit is the first one with an annotation, and must publish a root.
    ///
    /// The root tells builds that do not know annotations not to read the log.
    private func needsRootForAnnotation(_ publisher: Store) -> Bool {
        annotation != nil && recorded != nil && publisher.hasWritableLog
            && base.root.superblock.incompatibleFeatures & Superblock.annotationFeature == 0
    }

    /// The operations of the frame of the commit.
    var frameOperations: RecordedOperations {
        (recorded ?? RecordedOperations()).annotated(with: annotation)
    }

    /// Checks that every embedded object has a parent, without which it could be neither reached
    /// nor deleted.
    func checkOrphans() throws(StoreError) {
        guard let orphan = orphans.min(by: { ($0.classID, $0.rowID) < ($1.classID, $1.rowID) })
        else { return }
        let name = overlay.catalog[orphan.classID]?.schema.name ?? ""
        throw StoreError(
            .embeddedParent, path: store.path,
            detail: "no object holds the embedded \(name) with @id \(orphan.rowID.rawValue)")
    }

    /// Waits until the version that the transaction changes is on disk.
    ///
    /// Another process may have committed it without having synced it yet. Until then, readers do
    /// not see it, and ``Store/snapshot(at:)`` does not open it.
    package func waitForBase() throws(StoreError) {
        try checkOpen()
        try publisher?.waitUntilDurable(base.version)
    }

    /// Discards all changes.
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

    /// Releases the writer lock and ends the transaction.
    func end() {
        phase = .ended
        overlay = Overlay(catalog: base.root.catalog)
        forgetPlans()
        created = ClassMap()
        uniqueClaims = [:]
        writer = nil
        recorded = nil
        publisher?.releaseWriter()
    }
}
