import ArgumentParser
import FirnPlatform

/// `firn observe`: prints the changes of a query as they are committed.
struct ObserveCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "observe", _superCommandName: "firn",
        abstract: "Print the changes of a query as they are committed, by whichever process.",
        usage: "firn observe FILE [QUERY]... [OPTIONS]",
        discussion: """
            Examples:
              firn observe app.firn 'Person age > 30 SORT(age DESC)' \\
                | jq --unbuffered .type
              firn observe jobs.firn 'Job state == "queued"' --until 'count == 0' \\
                --timeout 5m -q
              firn observe a.firn --shape rows --cursor-file c \\
                | firn write b.firn --input observe --create -

            Every line is one JSON object with a "type": first "initial" with the objects, or \
            "resume" where an earlier run ended; then "update" for the commits after "prev" up to \
            "version"; "reset" where what lies between is not kept any more; "heartbeat" when \
            nothing happens; "end" with the reason. With --shape rows each object has a line with \
            an "op", and the last one of a commit has "commit":true; with -f csv or tsv it has the \
            columns op, version, id, index and those of the object. Without a QUERY all classes \
            are observed. On a terminal a query is a table that lives: + is new, ~ changed, - gone; \
            q or Ctrl-C ends it. Status: 0 for --count and --until, 124 for --idle and --timeout, 69 when \
            the file was replaced or a version is gone, 66 when it was removed.
            """,
        version: ProgramVersion.text)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Argument(
        help: ArgumentHelp("The query, or the stages of it.", valueName: "QUERY"))
    var query: [String] = []

    @Option(
        name: [.customShort("c"), .customLong("class")],
        help: "The class of a query that names none.")
    var className: String?

    @Option(
        name: [.customShort("s"), .customLong("select")],
        help: "Print these properties, separated by commas, and only what changes them.")
    var properties: String?

    @OptionGroup var parameters: ParameterOptions

    @Option(
        name: .shortAndLong,
        help: "auto (a live table on a terminal, otherwise ndjson), table, ndjson, csv or tsv.")
    var format: StreamFormat?

    @Option(
        name: .long,
        help:
            "What a line is: events (a commit), rows (an object) or index (a commit as positions).")
    var shape: StreamShape = .events

    @Option(
        name: .long,
        help: """
            What comes first: the objects (full), their count, or none. Without it full, and on a \
            terminal without QUERY count.
            """)
    var initial: InitialContent?

    @Flag(name: .long, help: "Write changed objects as they were, not only what changed.")
    var before = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Begin behind the token of an earlier line, behind a version, or now.",
            valueName: "TOKEN|VERSION|now"))
    var since: StreamStart?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Keep the position in this file, and go on there the next time.", valueName: "PATH"))
    var cursorFile: String?

    @Option(
        name: .long,
        help: "When a version is not kept any more: reset (begin anew) or fail (status 69).")
    var onGap: GapPolicy = .reset

    @Option(
        name: .customLong("ops"),
        help: ArgumentHelp(
            "Only these, separated by commas: insert, update, delete.", valueName: "OPS"))
    var operations: StreamOperations = .all

    @Option(name: .long, help: ArgumentHelp("End after so many updates.", valueName: "N"))
    var count: UInt64?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "End as soon as this holds of the result: a condition on count, @sum.PATH and so on.",
            valueName: "PREDICATE"))
    var until: String?

    @Option(
        name: .long,
        help: ArgumentHelp("End with 124 without an update for so long.", valueName: "DURATION"))
    var idle: TimeSpan?

    @Option(
        name: .long, help: ArgumentHelp("End with 124 after so long.", valueName: "DURATION"))
    var timeout: TimeSpan?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How often to say something when nothing happens, or off.",
            valueName: "DURATION|off"))
    var heartbeat: Heartbeat = .every(Heartbeat.standard)

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Wait so long after a commit, for others to go with it.", valueName: "DURATION"))
    var debounce: TimeSpan?

    @Flag(name: .long, help: "One update for each commit, also when reading is slow.")
    var everyCommit = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --every-commit: begin anew when so many commits wait.", valueName: "N"))
    var maxLag: UInt64?

    @Option(
        name: .customLong("exec"),
        help: ArgumentHelp(
            "Run this for each update, which it reads; with --initial also for what is there.",
            valueName: "COMMAND"))
    var command: String?

    @Flag(name: .long, help: "Go on when the command of --exec fails.")
    var keepGoing = false

    @Flag(name: .long, help: "When another file takes the place of the database, go on with that.")
    var followName = false

    @OptionGroup var common: CommonOptions

    mutating func validate() throws {
        if count == 0 { throw ValidationError("--count must be at least 1") }
        if keepGoing, command == nil {
            throw ValidationError("--keep-going goes with --exec COMMAND")
        }
        if maxLag != nil, !everyCommit {
            throw ValidationError("--max-lag goes with --every-commit")
        }
        if maxLag == 0 { throw ValidationError("--max-lag must be at least 1") }
        if debounce != nil, everyCommit {
            throw ValidationError("--debounce joins commits, --every-commit keeps them apart")
        }
        if properties != nil, query.isEmpty, className == nil {
            throw ValidationError("-s goes with a query")
        }
    }

    /// The values that were given.
    var order: ObserveOptions {
        var order = ObserveOptions(file: file, query: query)
        order.className = className
        order.properties = properties
        order.arguments = parameters.arguments
        order.format = format
        order.shape = shape
        order.initial = initial ?? .full
        order.namesInitial = initial != nil
        order.writesWholeBefore = before
        order.since = since
        order.cursorFile = cursorFile
        order.onGap = onGap
        order.operations = operations
        order.countMax = count
        order.until = until
        order.idle = idle
        order.timeout = timeout
        order.heartbeat = heartbeat
        order.debounce = debounce
        order.everyCommit = everyCommit
        order.lagMax = maxLag
        order.command = command
        order.keepsGoing = keepGoing
        order.followsName = followName
        return order
    }

    func run(in environment: CommandEnvironment) throws(CommandFailure) -> ExitStatus {
        try ObserveRun(order, environment).run()
    }
}
