package import FirnEngine
package import FirnFormats
import FirnPlatform
import FirnQuery
package import FirnValues

/// A database that a command changes, with its wait time for other writers.
package struct WritableDatabase {
    let file: String
    package let store: Store
    private let wait: TimeSpan
    private let environment: CommandEnvironment
    /// The most recent transaction.
    private let current = CurrentTransaction()
    /// The note on each commit; empty for none.
    var note = ""
    /// Called once before it waits for another writer.
    package var reportWaiting: (StoreError) -> Void = { _ in }

    /// - Parameter file: the name of the database as the user gave it.
    init(_ store: Store, file: String, wait: TimeSpan, _ environment: CommandEnvironment) {
        self.file = file
        self.store = store
        self.wait = wait
        self.environment = environment
    }

    /// - Parameter waitNanoseconds: the wait time; `nil` for the value of the environment.
    package init(
        _ store: Store, file: String, waitNanoseconds: UInt64?, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        let flag = waitNanoseconds.map { TimeSpan(nanoseconds: $0) }
        self.init(
            store, file: file, wait: try WaitOptions.span(flag, environment), environment)
    }

    /// Opens a database, passes it to a closure, and always closes it.
    static func with<Result>(
        _ file: String, wait: TimeSpan, note: String = "", _ environment: CommandEnvironment,
        _ body: (WritableDatabase) throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        let store = try CommandFailure.converting(
            Store.open(file, readOnly: false, services: environment.services))
        environment.reportOpened(file, store)
        var database = WritableDatabase(store, file: file, wait: wait, environment)
        database.note = note
        let result: Result
        do {
            result = try body(database)
        } catch {
            database.closeAfterFailure()
            throw error
        }
        do { try database.close() } catch {
            throw error.after("the command succeeded")
        }
        return result
    }

    /// Begins a transaction on the newest version, after any other transaction has ended.
    ///
    /// - Throws: with status 75 if the wait time has elapsed, or with the signal that interrupted
    ///   the wait.
    package func begin() throws(CommandFailure) -> WriteTransaction {
        let annotation = try annotation(note: note)
        let transaction = try waiting { (nanoseconds) throws(StoreError) in
            try Database(store).beginWrite(waitNanoseconds: nanoseconds)
        }
        transaction.annotation = annotation
        current.transaction = transaction
        return transaction
    }

    /// Returns a note with the author of the environment, or `nil` if there is neither.
    ///
    /// - Throws: `FIRN_AUTHOR` is too long.
    func annotation(note: String) throws(CommandFailure) -> Annotation? {
        let author = environment.variable("FIRN_AUTHOR") ?? ""
        guard author.isEmpty || Annotation.isAuthor(author) else {
            throw .diagnostic(
                .usage(
                    "FIRN_AUTHOR has \(author.utf8.count) bytes",
                    remedy: "give at most \(Annotation.authorByteCountMaximum) bytes"))
        }
        return Annotation(author: author, note: note)
    }

    /// Returns the version on which a transaction is based.
    package func version(of transaction: WriteTransaction) throws(CommandFailure) -> LSN {
        do { return try transaction.snapshot().version } catch { throw failure(error) }
    }

    /// Shrinks the file; see `Store.compact`.
    func compact(
        _ options: CompactionOptions, progress: (CompactionProgress) -> Bool
    ) throws(CommandFailure) -> CompactionReport {
        try waiting { (nanoseconds) throws(StoreError) in
            var options = options
            options.waitNanoseconds = nanoseconds
            return try store.compact(options, progress: progress)
        }
    }

    /// The interval at which signals are checked while waiting.
    private static let sliceNanoseconds: UInt64 = 100_000_000

    /// Tries an operation that another writer can block, until the wait time has elapsed.
    private func waiting<Result>(
        _ attempt: (UInt64) throws(StoreError) -> Result
    ) throws(CommandFailure) -> Result {
        let clock = environment.services.clock
        let start = clock.monotonicNanoseconds()
        var hasReported = false
        while true {
            let begun = clock.monotonicNanoseconds()
            let left = wait.nanoseconds - min(wait.nanoseconds, begun &- start)
            let slice = min(left, WritableDatabase.sliceNanoseconds)
            do {
                return try attempt(slice)
            } catch {
                guard error.code == .lockHeld else { throw failure(error) }
                try environment.checkSignals()
                guard left > slice else { throw failure(error) }
                if !hasReported { reportWaiting(error) }
                hasReported = true
                // Some locks are denied immediately.
                let took = clock.monotonicNanoseconds() &- begun
                if took < slice { clock.sleep(nanoseconds: slice - took) }
            }
        }
    }

    /// Converts an error of the store to a failure of this command.
    package func failure(_ error: StoreError) -> CommandFailure {
        .diagnostic(Diagnostic(error, waited: wait, file: file))
    }

    // MARK: Closing

    /// Closes the database, and checkpoints it unless other processes use it; rolls back
    /// uncommitted changes.
    ///
    /// The transaction ends first: closing waits for writers, and would otherwise wait for this
    /// transaction with the writer lock held.
    package func close() throws(CommandFailure) {
        current.transaction?.rollback()
        defer { reportFormat() }
        do { try store.close() } catch { throw failure(error) }
    }

    /// Closes the database after an error that will be reported.
    ///
    /// The next process that opens the file completes the cleanup. Acknowledged commits do not
    /// depend on it, and two errors for one cause would only confuse.
    package func closeAfterFailure() {
        current.transaction?.rollback()
        try? store.close()
        reportFormat()
    }

    /// Reports that older builds can no longer open the file, if this has changed.
    private func reportFormat() {
        guard environment.verbosity >= 0, let former = store.formerFormat else { return }
        environment.note(
            "\(SafeText.escaping(file)) is now in format \(FileFormat.written); "
                + "builds of firn that read only format \(former) cannot open it\n")
    }
}

/// The most recent transaction of a database, while it exists.
private final class CurrentTransaction {
    weak var transaction: WriteTransaction?
}
