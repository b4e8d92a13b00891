import ArgumentParser
import FirnEngine
import FirnFormats
import FirnPlatform
import FirnValues

/// `firn write`: changes a database.
struct WriteCommand: LimitedSubcommand {
    typealias Run = WriteRun

    static let configuration = CommandConfiguration(
        commandName: "write", _superCommandName: "firn",
        abstract: "Insert, change and delete objects.",
        usage: "firn write FILE [INPUT]... [-c CLASS] [-x STATEMENT]... [OPTIONS]",
        discussion: """
            Examples:
              firn write app.firn people.csv -c Person --upsert
              firn write app.firn -x 'Person city == "Oslo" | set city = "Bergen"'
              firn write app.firn -p n:=90 -x 'Person age > $n | delete' new.ndjson \\
                --dry-run
              firn export a.firn -f ndjson | firn write b.firn --create -

            INPUT is CSV, TSV, JSON or NDJSON, or - for standard input. Inputs and statements \
            run in the order of the command line, in one transaction; an error leaves the \
            database unchanged. A record names its class in "$class", otherwise -c does. A link \
            is the key of its target (the $id if the class has no key), {"$ref":"Dog","id":3}, or \
            the target itself, which is then written too. The target may also come later.

            Operations, one per line, have "op" and "class":
              {"op":"upsert","class":"Person","object":{"id":7,"name":"Bo"}}
              {"op":"delete","class":"Person","id":7}
              {"op":"edit","class":"Person","id":7,"path":"tags","append":"x"}
            op is insert, upsert, update, replace, delete or edit. Edits of lists are "append":V, \
            "insert":AT and "replace":AT with "value":V, "remove":AT, "move":FROM with "to":TO; \
            of sets "add":V and "discard":V; of maps "put":KEY with "value":V and "drop":KEY; of \
            all "clear":true. Positions count from 0.
            """,
        version: ProgramVersion.text)

    @Argument(
        help: ArgumentHelp(
            "The database, then the inputs; - for standard input.", valueName: "FILE"))
    var words: [WriteStep] = []

    @Option(
        name: [.customShort("x"), .customLong("execute")],
        help: ArgumentHelp(
            "A query that ends with set or delete; repeatable.", valueName: "STATEMENT"))
    var statements: [String] = []

    @Option(
        name: [.customShort("c"), .customLong("class")],
        help: "The class of records that name no class.")
    var className: String?

    @Flag(help: ArgumentHelp("How to handle existing objects."))
    var policy: WritePolicy = .insert

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The property that identifies an object: the key of the class or of a new class, or a unique "
                + "property.",
            valueName: "PROP"))
    var key: String?

    @Option(
        name: .customLong("input"),
        help:
            """
            auto (by name and content), csv, tsv, json, ndjson, ops (operations) or observe (the \
            output of firn observe).
            """
    )
    var inputFormat: WriteFormat = .auto

    @OptionGroup var short: InputOptions
    @OptionGroup var records: RecordOptions
    @OptionGroup var dialect: DialectOptions
    @OptionGroup var parameters: ParameterOptions

    @Flag(
        name: .long,
        help: "Create the database if it does not exist, and classes that it does not have.")
    var create = false

    @Flag(
        name: .long,
        help: "Add an optional property for each field without one; reads each input twice.")
    var addProperties = false

    @Option(
        name: .long,
        help: ArgumentHelp("Commit after every N records, and report each commit.", valueName: "N"))
    var batch: UInt64?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --input observe: store the stream position here, for observe --since @PATH.",
            valueName: "PATH"))
    var cursorFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Exit with 75 unless the database is at this version.", valueName: "N"))
    var ifVersion: UInt64?

    @OptionGroup var noting: NoteOptions

    @Flag(name: .long, help: "Run everything, report it, and roll it back.")
    var dryRun = false

    @Flag(name: .long, help: "Print the written objects instead of the report.")
    var returning = false

    @Flag(
        name: .long,
        help: "For untrusted input: check the database first, and access no other file.")
    var safe = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup var waiting: WaitOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var ending: TimeoutOptions
    @OptionGroup var common: CommonOptions

    static func arranged(_ words: [String]) -> [String] { WriteStep.arranged(words) }

    /// The database.
    var file: String {
        for word in words { if case .input(let path) = word { return path } }
        return ""
    }

    /// The steps, in the order of the command line.
    var steps: [WriteStep] {
        guard let index = words.firstIndex(where: { if case .input = $0 { true } else { false } })
        else { return words }
        var steps = words
        steps.remove(at: index)
        return steps
    }

    mutating func validate() throws {
        (records, dialect) = try short.moved(to: records, dialect)
        guard !file.isEmpty else { throw ValidationError("no database given: firn write FILE") }
        if !statements.isEmpty { throw ValidationError("write -x apart from other options") }
        let inputs = steps.filter { $0 == .input("-") }
        if inputs.count > 1 { throw ValidationError("standard input can be read only once") }
        if batch == 0 { throw ValidationError("--batch must be at least 1") }
        if dryRun, batch != nil {
            throw ValidationError("--dry-run and --batch cannot be combined")
        }
        if cursorFile != nil {
            guard inputFormat == .observe, steps.count == 1 else {
                throw ValidationError(
                    "--cursor-file needs one INPUT with --input observe"
                )
            }
            if dryRun { throw ValidationError("--dry-run and --cursor-file cannot be combined") }
        }
        if safe, cursorFile != nil || records.onError.savesRecords {
            throw ValidationError(
                "--safe cannot be combined with --cursor-file or --on-error save")
        }
        if inputFormat == .observe, records.onError != .abort {
            throw ValidationError(
                "--on-error and --input observe cannot be combined")
        }
        // A link alone is set on all objects, which a new database does not have.
        if steps.isEmpty, create != records.links.isEmpty {
            throw ValidationError("nothing to write: give an INPUT or -x STATEMENT")
        }
    }

    var options: WriteOptions {
        var options = WriteOptions(file: file, steps: steps)
        options.className = className
        options.policy = policy
        options.key = key
        options.inputFormat = inputFormat
        options.records = records.form(in: dialect)
        options.arguments = parameters.arguments
        options.creates = create
        options.addsProperties = addProperties
        options.batch = batch
        options.cursorFile = cursorFile
        options.ifVersion = ifVersion
        options.note = noting.note ?? ""
        options.isDryRun = dryRun
        options.returnsObjects = returning
        options.isSafe = safe
        options.report = reporting.format
        options.wait = waiting.wait
        options.progress = progress.progress
        options.isQuiet = common.quiet
        options.errors = common.errors
        return options
    }

    static func fastPath(_ words: [String]) -> (options: WriteOptions, verbosity: Int)? {
        WriteOptions(fastPath: words).map { ($0, verbosity: $0.isQuiet ? -1 : 0) }
    }
}

/// `--insert`, `--upsert`, `--update`, `--replace`.
enum WritePolicy: String, EnumerableFlag {
    case insert
    case upsert
    case update
    case replace

    static func help(for value: WritePolicy) -> ArgumentHelp? {
        switch value {
        case .insert: "Insert objects, whose keys must be new."
        case .upsert: "Insert new objects, and change the given properties of existing ones."
        case .update: "Change the given properties of objects, which must exist."
        case .replace: "Like --upsert, but set properties that are not given to nil or empty."
        }
    }

    var policy: PutPolicy {
        switch self {
        case .insert: .insert
        case .upsert: .upsert
        case .update: .update
        case .replace: .replace
        }
    }
}

/// The values of `--input`.
enum WriteFormat: String, ExpressibleByArgument, CaseIterable {
    case auto
    case csv
    case tsv
    case json
    case ndjson
    case ops
    case observe

    var format: InputFormat? {
        switch self {
        case .auto: nil
        case .csv: .table(.csv)
        case .tsv: .table(.tsv)
        case .json, .ndjson, .observe: .objects
        case .ops: .operations
        }
    }
}
