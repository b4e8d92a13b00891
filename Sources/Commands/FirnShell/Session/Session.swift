import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnTools
import FirnValues

/// The state of an interactive shell between statements.
///
///     statement    refines the last result or starts a new one; changes commit immediately
///     transaction  from `.begin` on, statements see its changes, until `.commit` or `.cancel`
///     version      the newest one, or an older one after `.at`
final class Session {
    /// The next step of the loop.
    enum Step: Hashable {
        case goOn
        /// The user quits, with this status.
        case leave(Int32)
        /// Runs this text as if it had been typed.
        case again(String)
    }

    /// An older version being read.
    struct Frozen {
        /// The version number, or the name of a freeze.
        let name: String
        /// Keeps the version readable meanwhile.
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
    /// The versions that this session committed; `.undo` needs no number for them.
    var ownVersions: Set<LSN> = []
    var results = Results()
    var variables: TextMap<Value>
    let observers: Observers
    /// The current destination of results; `nil` for standard output.
    var output: Destination?
    /// The name of the destination, as the user gave it.
    var outputName: String?
    /// The nesting depth of the statement files being read.
    var readingDepth = 0
    /// The formats of other sessions; `nil` if they do not apply to this one.
    private(set) var modes: RememberedModes?
    /// Whether the user was told how to see columns that do not fit.
    var toldColumns = false
    /// Whether the open database was opened read-only.
    var opensReadOnly: Bool
    /// Whether the user has not been warned yet about losing the changes to a database in memory.
    var warnsOfUnsaved = true

    /// - Parameter lines: the source of the statements.
    init(_ invocation: ShellInvocation, _ environment: CommandEnvironment, _ lines: any LineInput) {
        self.invocation = invocation
        self.environment = environment
        isInteractive = lines.isInteractive
        notices = lines.notices
        history = lines.history
        variables = invocation.arguments.values
        settings.zone = invocation.arguments.zone
        className = invocation.className
        opensReadOnly = invocation.isReadOnly
        settings.style.format = invocation.format
        if isInteractive, !invocation.isSafe, environment.outputIsTerminal {
            modes = RememberedModes(environment.variable)
        }
        settings.showsCost = isInteractive && !invocation.isQuiet
        // A pager is a program.
        if !isInteractive || invocation.isSafe { settings.paging = .off }
        observers = Observers(lines.notices, environment)
    }

    /// The context in which statements are bound.
    var arguments: QueryArguments { QueryArguments(variables, zone: settings.zone) }

    var isSafe: Bool { invocation.isSafe }

    var isReadOnly: Bool {
        opensReadOnly || (invocation.isSafe && !invocation.allowsChanges)
    }

    // MARK: The database

    /// Opens a database, and closes the open one.
    func open(_ path: String) throws(CommandFailure) {
        try checkNoTransaction("open another database")
        if isSafe { try SafeOpening(path, environment).check() }
        try checkUnsaved("open another database")
        let opened = try ShellDatabase(
            path, className: className, invocation.readInput,
            waitNanoseconds: invocation.waitNanoseconds, isQuiet: invocation.isQuiet, environment)
        try close()
        database = opened
        // The only class of an input need not be named.
        className = className ?? opened.className
        if invocation.format == "auto", let mode = modes?.format(of: opened.location),
            PrintedQuery.formatNames.contains(mode)
        {
            settings.style.format = mode
            report("results are \(mode), as set before; .mode auto ends that")
        }
        if let className {
            let schema = try snapshot().schema
            // The command line names a class of the first database, not of a later one.
            _ = try schema.chosen(className, in: path)
        }
    }

    /// Closes the database, if one is open; uncommitted changes are lost.
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

    /// Closes the database after an error or a signal that will be reported.
    func closeAfterFailure() {
        // The next process that opens the file completes the cleanup.
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

    /// Returns the version that statements read: the version of the transaction, the older one, or
    /// the newest.
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

    // MARK: Checks

    /// Rejects statements after a change that failed halfway; the transaction can only be ended.
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

    /// Rejects a command that would lose the changes to a database in memory, once.
    func checkUnsaved(_ what: String) throws(CommandFailure) {
        guard isInteractive, let database, database.hasUnsavedChanges, warnsOfUnsaved else {
            return
        }
        warnsOfUnsaved = false
        var diagnostic = Diagnostic(
            .transactionOpen,
            "cannot \(what): changes to \(SafeText.escaping(database.path)) are only in memory")
        diagnostic.remedy = "save them with .save FILE.firn, or repeat the command to discard them"
        throw .diagnostic(diagnostic)
    }

    /// Rejects access beyond the database.
    func checkSafe(_ what: String) throws(CommandFailure) {
        guard isSafe else { return }
        throw .diagnostic(Diagnostic(.safeRefused, "--safe does not allow \(what)"))
    }

    // MARK: Messages

    /// Prints a message that is not a result.
    func report(_ text: String) {
        if !invocation.isQuiet { environment.reportToPeople(text + "\n") }
    }

    /// Prints an error.
    func report(_ diagnostic: Diagnostic) {
        environment.report(diagnostic, invocation.errors)
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
