package import FirnEngine
import FirnPlatform
package import FirnValues

/// A database that a command changes: how it waits for others, and how it is closed.
package struct WritableDatabase {
    let file: String
    package let store: Store
    private let wait: TimeSpan
    private let environment: CommandEnvironment
    /// The transaction that was begun last.
    private let current = CurrentTransaction()
    /// Called once if somebody else writes, before it waits for them.
    package var tellWaiting: (StoreError) -> Void = { _ in }

    /// - Parameter file: the database as the user named it.
    init(_ store: Store, file: String, wait: TimeSpan, _ environment: CommandEnvironment) {
        self.file = file
        self.store = store
        self.wait = wait
        self.environment = environment
    }

    /// - Parameter waitNanoseconds: how long it waits for others; as the environment says if `nil`.
    package init(
        _ store: Store, file: String, waitNanoseconds: UInt64?, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        let flag = waitNanoseconds.map { TimeSpan(nanoseconds: $0) }
        self.init(
            store, file: file, wait: try WaitOptions.span(flag, environment), environment)
    }

    /// Opens a database, hands it out, and closes it whatever happens.
    static func with<Result>(
        _ file: String, wait: TimeSpan, _ environment: CommandEnvironment,
        _ body: (WritableDatabase) throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        let store: Store
        do {
            store = try Store.open(file, readOnly: false, services: environment.services)
        } catch { throw CommandFailure(error) }
        environment.tellOpened(file, store)
        let database = WritableDatabase(store, file: file, wait: wait, environment)
        let result: Result
        do throws(CommandFailure) {
            result = try body(database)
        } catch {
            database.closeAfterFailure()
            throw error
        }
        do throws(CommandFailure) { try database.close() } catch {
            throw error.after("the command was carried out")
        }
        return result
    }

    /// Begins a transaction on the newest version, when no other one is open any more.
    ///
    /// - Throws: with status 75 if that takes longer than the user wants to wait, or with the signal
    ///   that ended the waiting.
    package func begin() throws(CommandFailure) -> WriteTransaction {
        let transaction = try waiting { (nanoseconds) throws(StoreError) in
            try store.beginWrite(waitNanoseconds: nanoseconds)
        }
        current.transaction = transaction
        return transaction
    }

    /// The version that a transaction began with.
    package func version(of transaction: WriteTransaction) throws(CommandFailure) -> LSN {
        do { return try transaction.snapshot().version } catch { throw failure(error) }
    }

    /// Makes the file as small as it can be; see `Store.compact`.
    func compact(
        _ options: CompactionOptions, progress: (CompactionProgress) -> Bool
    ) throws(CommandFailure) -> CompactionReport {
        try waiting { (nanoseconds) throws(StoreError) in
            var options = options
            options.waitNanoseconds = nanoseconds
            return try store.compact(options, progress: progress)
        }
    }

    /// How long to wait before looking whether a signal came.
    private static let sliceNanoseconds: UInt64 = 100_000_000

    /// Tries something that another writer may stand in the way of, as long as the user wants.
    private func waiting<Result>(
        _ attempt: (UInt64) throws(StoreError) -> Result
    ) throws(CommandFailure) -> Result {
        let clock = environment.services.clock
        let start = clock.monotonicNanoseconds()
        var hasTold = false
        while true {
            let begun = clock.monotonicNanoseconds()
            let left = wait.nanoseconds - min(wait.nanoseconds, begun &- start)
            let slice = min(left, WritableDatabase.sliceNanoseconds)
            do throws(StoreError) {
                return try attempt(slice)
            } catch {
                guard error.code == .lockHeld else { throw failure(error) }
                try environment.checkSignals()
                guard left > slice else { throw failure(error) }
                if !hasTold { tellWaiting(error) }
                hasTold = true
                // Some locks are refused at once.
                let took = clock.monotonicNanoseconds() &- begun
                if took < slice { clock.sleep(nanoseconds: slice - took) }
            }
        }
    }

    /// An error of the store as this command shows it.
    package func failure(_ error: StoreError) -> CommandFailure {
        .diagnostic(Diagnostic(error, waited: wait, file: file))
    }

    // MARK: Closing

    /// Leaves the database at rest, unless others go on with it; rolls back what was not committed.
    ///
    /// The transaction ends first: closing waits for those who write, and would wait for this one,
    /// in vain, with the writer lock held.
    package func close() throws(CommandFailure) {
        current.transaction?.rollback()
        defer { tellFormat() }
        do { try store.close() } catch { throw failure(error) }
    }

    /// Closes after an error that is going to be told.
    ///
    /// What cannot be tidied up now the next one to open the file does; nothing that was
    /// acknowledged depends on it, and two errors for one cause would only confuse.
    package func closeAfterFailure() {
        current.transaction?.rollback()
        try? store.close()
        tellFormat()
    }

    /// Says that older builds cannot open the file any more, if that is so since now.
    private func tellFormat() {
        guard environment.verbosity >= 0, let former = store.formerFormat else { return }
        environment.note(
            "\(SafeText.escaping(file)) is now in format \(FileFormat.written); "
                + "builds of firn that read only format \(former) cannot open it\n")
    }
}

/// The transaction that a database was asked for last, as long as somebody holds it.
private final class CurrentTransaction {
    weak var transaction: WriteTransaction?
}
