import ArgumentParser
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// `firn query`: prints the objects that match.
struct QueryCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "query", _superCommandName: "firn",
        abstract: "Print the objects that match a query.",
        usage: "firn query FILE [QUERY]... [OPTIONS]",
        discussion: """
            Examples:
              firn query app.firn 'Person age > 30 SORT(age DESC) LIMIT(7)'
              firn query app.firn Person 'age > 30' --sort=-age --limit 7
              firn query app.firn 'Person city == "Oslo"' | jq -r .name

            Several QUERY arguments are the stages of one pipeline. Without any, the query is \
            read from standard input. A terminal gets a table, everything else ndjson.
            """,
        version: FirnCommand.version)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Argument(
        help: ArgumentHelp(
            "The query, or the stages of it; - for standard input.", valueName: "QUERY"))
    var query: [String] = []

    @Option(
        name: [.customShort("F"), .customLong("query-file")], help: "Read the query from a file.")
    var queryFile: String?

    @Option(
        name: [.customShort("c"), .customLong("class")],
        help: "The class of a query that names none.")
    var className: String?

    @Option(
        name: [.customShort("s"), .customLong("select")],
        help: "Print these properties, separated by commas.")
    var properties: String?

    @Option(
        name: .customLong("sort"), parsing: .unconditional,
        help: "Sort by these properties, separated by commas; a minus in front reverses.")
    var sort: String?

    @Option(name: .long, help: "Print at most so many objects.")
    var limit: Int?

    @Option(name: .long, help: "Leave out the first objects.")
    var skip: Int?

    @Flag(name: .long, help: "Print only how many objects there are.")
    var count = false

    @Flag(name: .long, help: "Print the plan instead of running the query.")
    var explain = false

    @Flag(name: .long, help: "Say afterwards, on standard error, what the query cost.")
    var stats = false

    @Flag(
        name: [.customShort("e"), .customLong("exit-status")],
        help: "End with 1 if there are no rows.")
    var failsWithoutRows = false

    @Flag(
        name: [.customShort("1"), .customLong("one")],
        help: "End with 1 unless there is exactly one row.")
    var wantsOne = false

    @OptionGroup var version: VersionOptions
    @OptionGroup var parameters: ParameterOptions
    @OptionGroup var rows: RowOptions
    @OptionGroup var common: CommonOptions

    mutating func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative") }
        if let skip, skip < 0 { throw ValidationError("--skip must not be negative") }
        if queryFile != nil, !query.isEmpty {
            throw ValidationError("give the query as an argument or with -F, not both")
        }
    }

    func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
        let text = try text(surroundings)
        let start = surroundings.services.clock.monotonicNanoseconds()
        let database = try OpenDatabase(file, at: version.reference, surroundings)
        let result = try database.query(
            text, defaultClass: className, arguments: parameters.arguments, explaining: explain)
        let output = try RowOutput(rows.output, existing: .replaced, surroundings)
        let writer = try rows.writer(for: result.columns, output, surroundings)
        let transfer = RowTransfer(result, database: database, text: text, rows.objects)
        let rowCount = try transfer.run(into: writer, output, surroundings)
        if wantsOne, rowCount != 1 {
            output.abandon()
            throw .diagnostic(
                Diagnostic(.queryNotOne, "\(Amounts.count(rowCount, "row")) where -1 wants one"))
        }
        try output.commit()
        tellCost(rowCount, start, result, writer, output, surroundings)
        return failsWithoutRows && rowCount == 0 ? .no : .ok
    }

    private func text(_ surroundings: Surroundings) throws(CommandFailure) -> String {
        var text = QueryText()
        if let queryFile {
            text.stages = [try QueryInput.read(queryFile, surroundings)]
        } else if query == ["-"]
            || (query.isEmpty && className == nil && !surroundings.inputIsTerminal)
        {
            text.stages = [try QueryInput.read("-", surroundings)]
        } else if query.isEmpty, let className {
            text.stages = [className]
        } else if query.isEmpty {
            throw .diagnostic(
                .usage(
                    "there is no query", remedy: "for example: firn query FILE 'Person age > 30'"))
        } else {
            text.stages = query
        }
        text.sort = sort
        text.skip = skip
        text.limit = limit
        text.properties = properties
        text.counts = count
        return try text.joined()
    }

    private func tellCost(
        _ rowCount: UInt64, _ start: UInt64, _ result: any ResultRows, _ writer: any ResultWriter,
        _ output: RowOutput, _ surroundings: Surroundings
    ) {
        let table = writer as? TableWriter
        if let table, table.isCut, !common.quiet {
            surroundings.tell("only the first \(Amounts.count(UInt64(table.rowsWritten), "row"))\n")
        }
        guard stats || (table != nil && output.isTerminal && !common.quiet) else { return }
        let elapsed = surroundings.services.clock.monotonicNanoseconds() &- start
        let cost = result.statistics
        var line = "\(Amounts.count(rowCount, "row")) · \(Amounts.time(elapsed))"
        line +=
            " · \(cost.pagesRead) of \(Amounts.count(UInt64(max(0, cost.pagesTotal)), "page")) read"
        if stats { line += " · \(Amounts.bytes(cost.bytesDecoded)) decompressed" }
        surroundings.tell(line + "\n")
    }
}
