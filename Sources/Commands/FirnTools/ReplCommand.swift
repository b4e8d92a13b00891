import ArgumentParser
import FirnQuery
import FirnValues

/// `firn repl`, or a file in place of a command: the interactive shell.
struct ReplCommand: Subcommand {
    typealias Run = ReplRun

    static let configuration = CommandConfiguration(
        commandName: "repl", _superCommandName: "firn",
        abstract: "Query and edit a database interactively.",
        usage: "firn [repl] [FILE] [OPTIONS]",
        discussion: """
            Examples:
              firn people.firn
              firn people.firn --ro -c Person
              echo 'Person age > 40; Person | count' | firn people.firn -f csv

            At a terminal, it prompts for statements in the query language and for commands that \
            begin with a dot; .help lists them. Otherwise, it runs the statements on standard \
            input and stops at the first error. FILE may be omitted if FIRN_FILE names one.
            """,
        version: ProgramVersion.text)

    @Argument(help: ArgumentHelp("The database (default: FIRN_FILE).", valueName: "FILE"))
    var file: String?

    @Flag(name: .long, help: "Open the database read-only.")
    var ro = false

    @Flag(
        name: .long,
        help: "For untrusted statements: access no file but the database, and run no program.")
    var safe = false

    @Flag(name: .long, help: "With --safe: allow changes to the database.")
    var write = false

    @Option(
        name: [.customShort("c"), .customLong("class")],
        help: "The class of statements that name no class.")
    var className: String?

    @Option(
        name: .shortAndLong,
        help: "The format of results, as in firn query (default: FIRN_FORMAT, or auto).")
    var format: RowFormat?

    @OptionGroup(title: "Options for files that are no databases") var records: RecordOptions
    @OptionGroup(title: "Options for files that are no databases") var dialect: DialectOptions

    @OptionGroup var parameters: ParameterOptions
    @OptionGroup var waiting: WaitOptions
    @OptionGroup var common: CommonOptions

    mutating func validate() throws {
        try records.check(with: dialect)
        if write, ro { throw ValidationError("--write and --ro cannot be combined") }
        if write, !safe {
            throw ValidationError("--write needs --safe; without --safe, changes are allowed")
        }
        if let format, format.isBinary {
            throw ValidationError("the shell writes no Parquet and no Arrow; use firn query -o")
        }
    }

    var options: ReplOptions {
        ReplOptions(
            file: file, className: className, format: format ?? .auto,
            arguments: parameters.arguments, isReadOnly: ro, isSafe: safe, allowsChanges: write,
            records: records.form(in: dialect), wait: waiting.wait, errors: common.errors,
            isQuiet: common.quiet)
    }
}

/// The options of `repl`, as plain values.
struct ReplOptions {
    /// The database; `nil` for the value of the environment.
    let file: String?
    let className: String?
    let format: RowFormat
    /// The values of `$name`.
    let arguments: QueryArguments
    let isReadOnly: Bool
    let isSafe: Bool
    let allowsChanges: Bool
    /// The conversion of the records of a file that is no database.
    let records: RecordForm
    let wait: TimeSpan?
    /// The format of errors; `nil` for the value of the environment.
    let errors: ErrorStyle?
    let isQuiet: Bool
}

/// One run of `repl`: starts the interactive shell, which is a layer above the commands.
struct ReplRun: CommandRun {
    private let options: ReplOptions
    private let environment: CommandEnvironment

    init(_ options: ReplOptions, _ environment: CommandEnvironment) {
        self.options = options
        self.environment = environment
    }

    func run() throws(CommandFailure) -> ExitStatus {
        guard let shell = environment.shell else {
            throw .diagnostic(Diagnostic(.internalError, "this program has no interactive shell"))
        }
        var invocation = ShellInvocation()
        invocation.file = options.file ?? environment.variable("FIRN_FILE")
        invocation.className = options.className
        invocation.format = options.format.rawValue
        invocation.arguments = options.arguments
        invocation.isReadOnly = options.isReadOnly
        invocation.isSafe = options.isSafe
        invocation.allowsChanges = options.allowsChanges
        let records = options.records
        invocation.readInput = {
            (path, className, isQuiet, environment) throws(CommandFailure) in
            try InputDatabase(
                path, className: className, records, isQuiet: isQuiet, environment)
        }
        invocation.waitNanoseconds = options.wait?.nanoseconds
        invocation.isQuiet = options.isQuiet
        invocation.errors =
            options.errors
            ?? environment.variable("FIRN_ERRORS").flatMap { ErrorStyle(rawValue: $0) } ?? .human
        return try shell(invocation, environment)
    }
}
