import ArgumentParser
import FirnFormats
import FirnPlatform
import FirnValues

/// `firn observe`: prints changes to a query result as they are committed.
struct ObserveCommand: Subcommand {
    typealias Run = ObserveRun

    static let configuration = CommandConfiguration(
        commandName: "observe", _superCommandName: "firn",
        abstract: "Print changes to the result of a query as any process commits them.",
        usage: "firn observe FILE [QUERY]... [OPTIONS]",
        discussion: """
            Examples:
              firn observe app.firn 'Person age > 30 SORT(age DESC)' \\
                | jq --unbuffered .type
              firn observe shop.firn 'Order | group(state; @count AS n)' -f ndjson
              firn observe jobs.firn 'Job state == "queued"' --until 'count == 0' \\
                --timeout 5m -q
              firn observe a.firn --shape rows --since @c \\
                | firn write b.firn --input observe --create --cursor-file c -

            Every line is one JSON object with a "type": first "initial" with the objects, or \
            "resume" where an earlier run ended; then "update" for the commits after "prev" up to \
            "version"; "reset" if the versions between are no longer kept; "heartbeat" if nothing \
            happens; and "end" with the reason. With --shape rows, each object has a line with an \
            "op", and the last line of a commit has "commit":true; with -f csv or tsv, it has the \
            columns op, version, id, index and those of the object. Without a QUERY, all classes \
            are observed. A query can also return a group, aggregates or a count: each row is \
            identified by the key of its group. On a terminal, a query is shown as a live table: \
            + marks new rows, ~ changed rows and - removed rows; arrow keys scroll. Without a \
            QUERY, a terminal shows each change as a readable line. q or Ctrl-C ends both. The \
            exit status is 0 for --count, --until and --catch-up, 124 for --idle and --timeout, 69 \
            if the file was replaced or a version is no longer kept, and 66 if the file was \
            removed.
            """,
        version: ProgramVersion.text)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Argument(
        help: ArgumentHelp("The query, or its stages.", valueName: "QUERY"))
    var query: [String] = []

    @Option(
        name: [.customShort("c"), .customLong("class")],
        help: "The class of a query that names no class.")
    var className: String?

    @Option(
        name: [.customShort("s"), .customLong("select")],
        help: "Print these properties, separated by commas, and only changes to them.")
    var properties: String?

    @OptionGroup var parameters: ParameterOptions

    @Option(
        name: .shortAndLong,
        help: "auto (a live table on a terminal, otherwise ndjson), table, ndjson, csv or tsv.")
    var format: StreamFormat?

    @Option(
        name: .long,
        help:
            "The unit of a line: events (a commit), rows (an object) or index (positions)."
    )
    var shape: StreamShape = .events

    @Option(
        name: .long,
        help: """
            The initial output: the objects (full), their count, or none (default: full; count on \
            a terminal without QUERY; none with --exec).
            """)
    var initial: InitialContent?

    @Flag(
        name: .long,
        help: "Write all previous values of a changed object, not only those that changed.")
    var before = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Start after the token of an earlier line, after a version, or now.",
            valueName: "TOKEN|VERSION|now"))
    var since: StreamStart?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Store the position in this file, and resume from it the next time.", valueName: "PATH")
    )
    var cursorFile: String?

    @Option(
        name: .long,
        help: "If a version is no longer kept: reset (start again) or fail (status 69).")
    var onGap: GapPolicy = .reset

    @Option(
        name: .customLong("ops"),
        help: ArgumentHelp(
            "Print only these operations, separated by commas: insert, update, delete.",
            valueName: "OPS"))
    var operations: StreamOperations = .all

    @Option(name: .long, help: ArgumentHelp("Exit after N updates.", valueName: "N"))
    var count: UInt64?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Exit as soon as the result meets this condition on count, @sum.PATH and so on.",
            valueName: "PREDICATE"))
    var until: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Exit with 124 after this long without an update.", valueName: "DURATION"))
    var idle: TimeSpan?

    @Flag(name: .long, help: "Exit with 0 as soon as everything is delivered.")
    var catchUp = false

    @Option(
        name: .long, help: ArgumentHelp("Exit with 124 after this long.", valueName: "DURATION"))
    var timeout: TimeSpan?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Print a heartbeat after this long without an update, or never (off).",
            valueName: "DURATION|off"))
    var heartbeat: Heartbeat = .every(Heartbeat.standard)

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Wait this long after a commit, and combine it with the commits that follow.",
            valueName: "DURATION"))
    var debounce: TimeSpan?

    @Flag(name: .long, help: "Print one update for each commit, even if the reader is slow.")
    var everyCommit = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --every-commit: reset when more than N commits are waiting.", valueName: "N"))
    var maxLag: UInt64?

    @Option(
        name: .customLong("exec"),
        help: ArgumentHelp(
            "Run this with each update on standard input; with --initial, also for the objects.",
            valueName: "COMMAND"))
    var command: String?

    @Flag(name: .long, help: "Continue if the command of --exec fails.")
    var keepGoing = false

    @Flag(name: .long, help: "If another file replaces the database, continue with that file.")
    var followName = false

    @OptionGroup var common: CommonOptions

    mutating func validate() throws {
        if count == 0 { throw ValidationError("--count must be at least 1") }
        if keepGoing, command == nil {
            throw ValidationError("--keep-going needs --exec COMMAND")
        }
        if maxLag != nil, !everyCommit {
            throw ValidationError("--max-lag needs --every-commit")
        }
        if maxLag == 0 { throw ValidationError("--max-lag must be at least 1") }
        if debounce != nil, everyCommit {
            throw ValidationError("--debounce and --every-commit cannot be combined")
        }
        if properties != nil, query.isEmpty, className == nil {
            throw ValidationError("-s needs a query")
        }
    }

    var options: ObserveOptions {
        var options = ObserveOptions(file: file, query: query)
        options.className = className
        options.properties = properties
        options.arguments = parameters.arguments
        options.format = format
        options.shape = shape
        options.initial = initial ?? .full
        options.namesInitial = initial != nil
        options.writesWholeBefore = before
        options.since = since
        options.cursorFile = cursorFile
        options.onGap = onGap
        options.operations = operations
        options.countMax = count
        options.until = until
        options.idle = idle
        options.catchesUp = catchUp
        options.timeout = timeout
        options.heartbeat = heartbeat
        options.debounce = debounce
        options.everyCommit = everyCommit
        options.lagMax = maxLag
        options.command = command
        options.keepsGoing = keepGoing
        options.followsName = followName
        return options
    }
}
