import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnValues

/// The transactions of one `write`: begins, commits and reports them.
final class WriteSession {
    let store: Store
    private let file: String
    private let database: WritableDatabase
    /// The database that this write creates.
    private let creation: StoreCreation?
    /// A lock that prevents other processes from creating the same database.
    private let creationLock: TemporaryLock?
    private let environment: CommandEnvironment
    private let isDryRun: Bool
    /// Whether the caller ends the transaction.
    let isJoined: Bool
    private(set) var transaction: WriteTransaction
    /// The version on which the transaction is based.
    private var base: LSN
    /// The schema before the changes.
    private var baseSchema: Schema
    private(set) var planner: ObjectPlanner
    private(set) var objects: ObjectWriter
    private let names: FieldNames
    /// The words that were read as null, over all transactions.
    let nullWords = NullWordCounts()
    private var startedAt: UInt64
    /// The numbers of objects deleted, changed and inserted by statements and operations.
    var deleted: UInt64 = 0
    var updated: UInt64 = 0
    var unchanged: UInt64 = 0
    /// The written objects, each once, in order, if they are requested.
    private(set) var returned: [ObjectReference] = []
    private var returnedSet: Set<ObjectReference> = []
    var keepsReturned = false
    /// The objects whose links are set from a column before the commit.
    private var touched: [ClassID: [RowID]] = [:]
    var keepsTouched = false

    /// - Parameters:
    ///   - creates: whether to create a missing database.
    ///   - version: the required version of the database.
    ///   - note: the note on each commit, except the one that creates the database.
    init(
        _ file: String, creates: Bool, version: UInt64?, names: FieldNames, isDryRun: Bool,
        note: String, wait: TimeSpan, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        self.file = file
        self.names = names
        self.environment = environment
        self.isDryRun = isDryRun
        isJoined = false
        startedAt = environment.services.clock.monotonicNanoseconds()
        if creates { try CommandFailure.checkName(file) }
        creationLock =
            creates ? try WriteSession.lockCreation(of: file, wait: wait, environment) : nil
        do {
            if creates, try WriteSession.isMissing(file, environment) {
                let creation = try Store.create(
                    file, services: environment.services, options: environment.storeOptions)
                self.creation = creation
                store = creation.store
            } else {
                creation = nil
                store = try Store.open(file, readOnly: false, services: environment.services)
            }
        } catch { throw CommandFailure(error) }
        environment.reportOpened(file, store)
        var database = WritableDatabase(store, file: file, wait: wait, environment)
        database.note = note
        self.database = database
        do throws(CommandFailure) {
            transaction = try database.begin()
            transaction.rebuildsLinkIndexes = true
            // The history begins with the first version, and keeps the commits after it.
            if creation != nil {
                transaction.annotation = nil
                if !note.isEmpty, environment.verbosity >= 0 {
                    environment.note("the commit that creates a database keeps no note\n")
                }
            }
            base = try database.version(of: transaction)
            baseSchema = transaction.schema
            if let version, base != LSN(version) {
                throw WriteSession.conflict(file, found: base, expected: version)
            }
        } catch {
            if creation == nil { database.closeAfterFailure() }
            throw error
        }
        planner = ObjectPlanner(
            transaction, names, remedy: .alter(file: file), nullWords: nullWords)
        objects = ObjectWriter(transaction)
    }

    /// Writes within a transaction that the caller ends.
    init(
        joining transaction: WriteTransaction, of database: WritableDatabase, names: FieldNames,
        _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        file = database.file
        self.names = names
        self.environment = environment
        self.database = database
        self.transaction = transaction
        store = database.store
        isDryRun = false
        isJoined = true
        creation = nil
        creationLock = nil
        startedAt = environment.services.clock.monotonicNanoseconds()
        base = try database.version(of: transaction)
        baseSchema = transaction.schema
        planner = ObjectPlanner(
            transaction, names, remedy: .alter(file: file), nullWords: nullWords)
        objects = ObjectWriter(transaction)
    }

    private static func conflict(
        _ file: String, found: LSN, expected: UInt64
    ) -> CommandFailure {
        var diagnostic = Diagnostic(
            .writeConflict,
            "\(SafeText.escaping(file)) is at version \(found.rawValue), not at \(expected)")
        diagnostic.file = file
        diagnostic.remedy = "read the newer version, and try again"
        return .diagnostic(diagnostic)
    }

    /// Whether the database has its final name; otherwise everything is rolled back.
    private(set) var isPublished = false
    /// Whether the transaction was committed and the next one has not begun.
    private(set) var hasEnded = false
    /// The version of the last transaction if it was committed, even if its report then failed.
    private(set) var committed: LSN?

    static func isMissing(
        _ file: String, _ environment: CommandEnvironment
    ) throws(StoreError) -> Bool {
        do {
            return try environment.services.files.status(of: file) == nil
        } catch {
            throw StoreError(
                .inputOutput, path: file, detail: error.reason, cause: error)
        }
    }

    func failure(_ error: StoreError) -> CommandFailure { database.failure(error) }

    /// Closes the database; uncommitted changes are rolled back.
    func close() throws(CommandFailure) {
        if isJoined { return }
        transaction.rollback()
        // A database without its final name is removed completely.
        guard creation == nil || isPublished else { return }
        try database.close()
    }

    /// Closes the database like ``close()``, after an error that will be reported.
    func closeAfterFailure() {
        if isJoined { return }
        transaction.rollback()
        guard creation == nil || isPublished else { return }
        database.closeAfterFailure()
    }

    /// Clears cached classes; must be called after classes or properties were added.
    func schemaChanged() { planner.forgetClasses() }

    /// Whether the objects that are written are recorded.
    var keepsObjects: Bool { keepsReturned || keepsTouched }

    /// Records a written object.
    func note(_ reference: ObjectReference) {
        if keepsReturned, returnedSet.insert(reference).inserted { returned.append(reference) }
        if keepsTouched { touched[reference.classID, default: []].append(reference.rowID) }
    }

    func touchedRows(of classID: ClassID) -> [RowID] { touched[classID] ?? [] }

    /// Sets the links to objects that came later in the input.
    ///
    /// - Parameter remedy: what helps if an object is missing; `nil` for the usual remedy.
    func settleLinks(remedy: String? = nil) throws(CommandFailure) {
        let dangling: (count: UInt64, first: (RecordMistake, String))?
        do { dangling = try objects.settle() } catch { throw failure(error) }
        if let dangling {
            var diagnostic = ObjectWriter.diagnostic(dangling.count, dangling.first)
            if let remedy { diagnostic.remedy = remedy }
            throw .diagnostic(diagnostic)
        }
    }

    /// Commits the transaction.
    ///
    /// - Parameter links: sets links from columns before the commit.
    /// - Returns: the report, and the version that `--returning` reads.
    func commit(
        links: () throws(CommandFailure) -> [LinkOutcome]
    ) throws(CommandFailure) -> (report: WriteReport, snapshot: Snapshot?) {
        committed = nil
        try settleLinks()
        var report = WriteReport()
        report.file = file
        report.links = try links()
        report.inserted = objects.counts.inserted
        report.updated = objects.counts.updated + updated
        report.unchanged = objects.counts.unchanged + unchanged
        report.deleted = deleted
        report.previous = base
        report.emptied = objects.counts.emptied
        if creation == nil, baseSchema != transaction.schema {
            report.schema = SchemaDifference(
                from: baseSchema, to: transaction.schema, isSameFile: true)
        }
        report.isDryRun = isDryRun
        let snapshot: Snapshot?
        do {
            snapshot = keepsReturned ? try transaction.snapshot() : nil
            if isDryRun || isJoined {
                if isDryRun { try transaction.applyRule() }
                report.version = base
            } else {
                report.version = try transaction.commit()
                environment.noteCommit()
                hasEnded = true
                try creation?.publish()
                committed = report.version
                isPublished = true
                creationLock?.remove()
            }
            report.bytes = try store.fileStatus().size
        } catch { throw failure(error) }
        report.nanoseconds =
            environment.services.clock.monotonicNanoseconds() &- startedAt
        return (report, snapshot)
    }

    /// Lets other processes write until the next ``begin()``; uncommitted changes are rolled back.
    func pause() {
        guard !hasEnded else { return }
        transaction.rollback()
        hasEnded = true
    }

    /// Begins the next transaction, if the last one has ended.
    ///
    /// Other processes can write in between.
    func begin() throws(CommandFailure) {
        guard hasEnded else { return }
        transaction = try database.begin()
        transaction.rebuildsLinkIndexes = true
        base = try database.version(of: transaction)
        baseSchema = transaction.schema
        startedAt = environment.services.clock.monotonicNanoseconds()
        planner = ObjectPlanner(
            transaction, names, remedy: .alter(file: file), nullWords: nullWords)
        objects = ObjectWriter(transaction)
        hasEnded = false
        (deleted, updated, unchanged) = (0, 0, 0)
        returned.removeAll()
        returnedSet.removeAll()
        touched.removeAll()
    }
}
