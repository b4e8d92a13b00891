import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTools
import FirnValues

/// Everything that an interactive shell remembers from one statement to the next.
///
///     statement    goes on from the last result or begins anew; changes commit by themselves
///     transaction  from `.begin` on, statements see its changes, until `.commit` or `.cancel`
///     version      the newest one, or an older one after `.at`
final class Session {
    /// What the loop does next.
    enum Step: Hashable {
        case goOn
        /// The user wants to leave, with this status.
        case leave(Int32)
        /// Carries out this text as if it had been typed.
        case again(String)
    }

    /// An older version that is looked at.
    struct Frozen {
        /// Its number, or the name of a freeze.
        let name: String
        /// Keeps the version readable for as long.
        let snapshot: DatabaseSnapshot
    }

    let invocation: ShellInvocation
    let environment: CommandEnvironment
    let isInteractive: Bool
    let notices: NotificationQueue
    let history: History?
    var settings = Settings()
    var database: ShellDatabase?
    var className: String?
    var frozen: Frozen?
    var transaction: ShellTransaction?
    var results = Results()
    var variables: [String: Value]
    let observers: Observers
    /// Where results go until that is changed; `nil` for standard output.
    var output: Destination?
    /// What the user called it.
    var outputName: String?
    /// Files of statements that are being read, one out of the other.
    var readingDepth = 0
    /// Whether the open database was opened to be read only.
    var opensReadOnly: Bool

    /// - Parameter lines: where the statements come from.
    init(_ invocation: ShellInvocation, _ environment: CommandEnvironment, _ lines: any LineInput) {
        self.invocation = invocation
        self.environment = environment
        isInteractive = lines.isInteractive
        notices = lines.notices
        history = lines.history
        variables = invocation.arguments
        className = invocation.className
        opensReadOnly = invocation.isReadOnly
        settings.style.format = invocation.format
        settings.showsCost = isInteractive && !invocation.isQuiet
        // A pager is a program.
        if !isInteractive || invocation.isSafe { settings.paging = .off }
        observers = Observers(lines.notices, environment)
    }

    var isSafe: Bool { invocation.isSafe }

    var isReadOnly: Bool {
        opensReadOnly || (invocation.isSafe && !invocation.allowsChanges)
    }

    // MARK: The database

    /// Opens a database in the place of the one that is open.
    func open(_ path: String) throws(CommandFailure) {
        try checkNoTransaction("open another database")
        if isSafe { try SafeOpening(path, environment).check() }
        let opened = try ShellDatabase(
            path, waitNanoseconds: invocation.waitNanoseconds, environment)
        try close()
        database = opened
        if let className {
            let schema = try snapshot().schema
            // The class that the command line names; of another database there is none yet.
            _ = try schema.chosen(className, in: path)
        }
    }

    /// Closes the database, if one is open; what was not committed is gone.
    func close() throws(CommandFailure) {
        observers.stopAll()
        transaction?.transaction.rollback()
        transaction = nil
        frozen = nil
        results.removeAll()
        guard let closing = database else { return }
        database = nil
        try closing.close()
    }

    /// Closes after an error or a signal that is going to be told.
    func closeAfterFailure() {
        // What cannot be tidied up now, the next one to open the file does.
        try? close()
        output?.abandon()
        output = nil
    }

    func openDatabase() throws(CommandFailure) -> ShellDatabase {
        guard let database else {
            throw .diagnostic(
                .usage("no database is open", remedy: "open one with: .open FILE"))
        }
        return database
    }

    /// The version that statements see: that of the transaction, the frozen one, or the newest.
    func snapshot() throws(CommandFailure) -> DatabaseSnapshot {
        let database = try openDatabase()
        try checkTransaction()
        database.checkName()
        if let frozen { return frozen.snapshot }
        do throws(StoreError) {
            let newest = try database.database.snapshot()
            guard let transaction else { return newest }
            return DatabaseSnapshot(try transaction.transaction.snapshot(), now: newest.now)
        } catch { throw CommandFailure(error) }
    }

    // MARK: What is allowed

    /// After a change that failed half way, nothing but the end of the transaction makes sense.
    func checkTransaction() throws(CommandFailure) {
        guard let transaction, transaction.hasFailed else { return }
        var diagnostic = Diagnostic(.transactionFailed, "the transaction has failed")
        diagnostic.remedy = "end it with .cancel; its changes cannot be committed"
        throw .diagnostic(diagnostic)
    }

    func checkNoTransaction(_ what: String) throws(CommandFailure) {
        guard transaction != nil else { return }
        var diagnostic = Diagnostic(
            .transactionOpen, "cannot \(what) while a transaction is open")
        diagnostic.remedy = "end it with .commit or .cancel first"
        throw .diagnostic(diagnostic)
    }

    /// Refuses what reaches beyond the database.
    func checkSafe(_ what: String) throws(CommandFailure) {
        guard isSafe else { return }
        throw .diagnostic(Diagnostic(.safeRefused, "--safe does not allow \(what)"))
    }

    // MARK: Telling

    /// Says something that is no result.
    func tell(_ text: String) {
        if !invocation.isQuiet { environment.tell(text + "\n") }
    }

    /// Says what went wrong.
    func tell(_ diagnostic: Diagnostic) {
        environment.tell(diagnostic.rendered(invocation.errors))
    }

    // MARK: The prompt

    var prompt: Prompt {
        var prompt = Prompt()
        prompt.database = database.map { Prompt.name(of: $0.path) }
        prompt.frozen = frozen?.name
        prompt.isReadOnly = isReadOnly
        prompt.className = className
        prompt.observerCount = observers.count
        if let last = results.last, last.depth > 1, let size = results.lastSize {
            prompt.refinement = Prompt.Refinement(
                className: results.lastClassName ?? "", depth: last.depth, rowCount: size.rowCount,
                isCut: size.isCut)
        }
        if let transaction {
            prompt.transaction =
                transaction.hasFailed ? .failed : .open(changes: transaction.changeCount)
        }
        return prompt
    }
}
