import ArgumentParser
import FirnFormats
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

    @OptionGroup(title: "Options for files that are not databases") var records: RecordOptions
    @OptionGroup(title: "Options for files that are not databases") var dialect: DialectOptions

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
}

/// One run of `repl`: starts the interactive shell, which is a layer above the commands.
struct ReplRun: CommandRun {
    private let options: ReplCommand
    private let environment: CommandEnvironment

    init(_ options: ReplCommand, _ environment: CommandEnvironment) {
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
        invocation.format = (options.format ?? .auto).rawValue
        invocation.arguments = options.parameters.arguments
        invocation.isReadOnly = options.ro
        invocation.isSafe = options.safe
        invocation.allowsChanges = options.write
        let records = options.records.form(in: options.dialect)
        invocation.readInput = {
            (path, className, isQuiet, environment) throws(CommandFailure) in
            try InputDatabase(
                path, className: className, records, isQuiet: isQuiet, environment)
        }
        invocation.waitNanoseconds = options.waiting.wait?.nanoseconds
        invocation.isQuiet = options.isQuiet
        invocation.errors =
            options.common.errors
            ?? environment.variable("FIRN_ERRORS").flatMap { ErrorStyle(rawValue: $0) } ?? .human
        return try shell(invocation, environment)
    }
}
