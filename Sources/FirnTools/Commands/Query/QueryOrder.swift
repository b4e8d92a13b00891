import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// What `query` is to do: the command line as plain values.
struct QueryOrder: Hashable {
    let file: String
    /// The query, or the stages of it.
    let query: [String]
    var queryFile: String?
    var className: String?
    /// To print, separated by commas.
    var properties: String?
    var sort: String?
    var limit: Int?
    var skip: Int?
    var counts = false
    var explains = false
    var tellsCost = false
    var failsWithoutRows = false
    var wantsOne = false
    var version: VersionArgument?
    /// The values of `$name`.
    var arguments: [String: Value] = [:]
    var rows = RowLayout()
    var isQuiet = false

    init(file: String, query: [String]) {
        self.file = file
        self.query = query
    }

    func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
        let text = try text(surroundings)
        let start = surroundings.services.clock.monotonicNanoseconds()
        let database = try OpenDatabase(file, at: version?.reference, surroundings)
        let result = try database.query(
            text, defaultClass: className, arguments: arguments, explaining: explains)
        let output = try RowOutput(rows.output, existing: .replaced, surroundings)
        var rows = rows
        rows.tableName = database.tableName(text, defaultClass: className)
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
        text.counts = counts
        return try text.joined()
    }

    private func tellCost(
        _ rowCount: UInt64, _ start: UInt64, _ result: any ResultRows, _ writer: any ResultWriter,
        _ output: RowOutput, _ surroundings: Surroundings
    ) {
        let table = writer as? TableWriter
        if let table, table.isCut, !isQuiet {
            surroundings.note("only the first \(Amounts.count(UInt64(table.rowsWritten), "row"))\n")
        }
        if let table, table.isTooWide, !isQuiet {
            surroundings.note("too wide for a table: one line per property\n")
        }
        guard tellsCost || (table != nil && output.isTerminal && !isQuiet) else { return }
        let elapsed = surroundings.services.clock.monotonicNanoseconds() &- start
        let cost = result.statistics
        var line = cost.text(rowCount: rowCount, nanoseconds: elapsed)
        if tellsCost { line += " · \(Amounts.bytes(cost.bytesDecoded)) decompressed" }
        surroundings.note(line + "\n")
    }
}
