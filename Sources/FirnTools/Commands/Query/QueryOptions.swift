import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// The options of `query`, as plain values.
struct QueryOptions: Hashable {
    let file: String
    /// The query, or its stages.
    let query: [String]
    var queryFile: String?
    var className: String?
    /// The properties to print, separated by commas.
    var properties: String?
    var sort: String?
    var limit: Int?
    var skip: Int?
    var counts = false
    /// The output that replaces the rows.
    var explanation: Explanation?
    var tellsCost = false
    var failsWithoutRows = false
    var wantsOne = false
    var version: VersionArgument?
    /// The values of `$name`.
    var arguments: [String: Value] = [:]
    /// A file with more values; the values above take precedence.
    var parameterFile: String?
    /// The time limit.
    var timeoutNanoseconds: UInt64?
    var rows = RowLayout()
    var isQuiet = false

    /// The output that replaces the rows of a query.
    enum Explanation {
        /// The plan.
        case plan
        /// The plan and the cost of running it.
        case analyzed
    }

    init(file: String, query: [String]) {
        self.file = file
        self.query = query
    }

    func run(in environment: CommandEnvironment) throws(CommandFailure) -> ExitStatus {
        let start = environment.services.clock.monotonicNanoseconds()
        let arguments = try allArguments(environment)
        let statements = try statements(environment)
        let limit = TimeLimit(timeoutNanoseconds, from: start, environment)
        let database = try OpenDatabase(file, at: version?.reference, environment)
        // If one query is invalid, there is no output at all.
        var results: [(text: String, rows: any ResultRows)] = []
        for (text, line) in statements {
            do throws(CommandFailure) {
                results.append((text, try rows(of: text, database, arguments, limit, environment)))
            } catch {
                guard statements.count > 1, case .diagnostic(var diagnostic) = error else {
                    throw error
                }
                diagnostic.details.append("in line \(line) of standard input")
                throw .diagnostic(diagnostic)
            }
        }
        let output = try RowOutput(rows.output, existing: .replaced, environment)
        var rowCount: UInt64 = 0
        var begun = start
        for (text, result) in results {
            rowCount += try limit.watching { () throws(CommandFailure) in
                try print(result, text, database, to: output, since: begun, environment)
            }
            begun = environment.services.clock.monotonicNanoseconds()
        }
        try output.commit()
        return failsWithoutRows && rowCount == 0 ? .no : .ok
    }

    /// Returns the rows of a query, or the rows that explain it.
    private func rows(
        of text: String, _ database: OpenDatabase, _ arguments: [String: Value],
        _ limit: TimeLimit, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> any ResultRows {
        func query(explaining: Bool) throws(CommandFailure) -> any ResultRows {
            try database.query(
                text, defaultClass: className, arguments: arguments, explaining: explaining,
                isStopped: limit.isReached)
        }
        switch explanation {
        case nil: return try query(explaining: false)
        case .plan: return try query(explaining: true)
        case .analyzed:
            return AnalyzedRows(
                plan: try query(explaining: true), run: try query(explaining: false),
                environment.services.clock)
        }
    }

    private func allArguments(
        _ environment: CommandEnvironment
    ) throws(CommandFailure) -> [String: Value] {
        guard let parameterFile else { return arguments }
        return try ParameterFile.read(parameterFile, environment).merging(arguments) { $1 }
    }

    /// Prints the rows of one statement.
    ///
    /// - Returns: the number of rows.
    private func print(
        _ result: any ResultRows, _ text: String, _ database: OpenDatabase, to output: RowOutput,
        since start: UInt64, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> UInt64 {
        var rows = result.isPlan ? rows.ofPlan : rows
        rows.tableName = database.tableName(text, defaultClass: className)
        let writer = try rows.writer(for: result.columns, output, environment)
        let transfer = RowTransfer(result, database: database, text: text, rows.objects)
        let rowCount = try transfer.run(into: writer, output, environment)
        if wantsOne, rowCount != 1 {
            output.abandon()
            throw .diagnostic(
                Diagnostic(
                    .queryNotOne, "\(Formatting.count(rowCount, "row")) where -1 requires one"))
        }
        tellCost(rowCount, start, result, writer, output, environment)
        return rowCount
    }

    /// Returns the texts of the statements, and the lines of standard input where they begin.
    private func statements(
        _ environment: CommandEnvironment
    ) throws(CommandFailure) -> [(text: String, line: Int)] {
        let isRead =
            query == ["-"] || (query.isEmpty && className == nil && !environment.inputIsTerminal)
        guard queryFile == nil, isRead else { return [(try text(environment), 1)] }
        let input = try QueryText.read("-", environment)
        let statements = QueryStatements(input).all
        // The parser reports an empty query.
        guard !statements.isEmpty else { return [(try text(of: [input]), 1)] }
        var texts: [(text: String, line: Int)] = []
        for statement in statements {
            texts.append((try text(of: [statement.text]), statement.line))
        }
        return texts
    }

    private func text(_ environment: CommandEnvironment) throws(CommandFailure) -> String {
        if let queryFile {
            return try text(of: [try QueryText.read(queryFile, environment)])
        } else if query.isEmpty, let className {
            return try text(of: [className])
        } else if query.isEmpty {
            throw .diagnostic(
                .usage(
                    "no query given", remedy: "for example: firn query FILE 'Person age > 30'"))
        }
        return try text(of: query)
    }

    private func text(of stages: [String]) throws(CommandFailure) -> String {
        var text = QueryText()
        text.stages = stages
        text.sort = sort
        text.skip = skip
        text.limit = limit
        text.properties = properties
        text.counts = counts
        return try text.joined()
    }

    private func tellCost(
        _ rowCount: UInt64, _ start: UInt64, _ result: any ResultRows, _ writer: any ResultWriter,
        _ output: RowOutput, _ environment: CommandEnvironment
    ) {
        let table = writer as? TableWriter
        if let table, table.isCut, !isQuiet {
            environment.note(
                "only the first \(Formatting.count(UInt64(table.rowsWritten), "row"))\n")
        }
        if let table, table.isTooWide, rowCount > 0, !isQuiet {
            environment.note(
                "too wide for a table: choose columns with -s, or print lines with -f line\n")
        }
        // The lines of a plan are not rows of the result.
        guard !result.isPlan else { return }
        guard tellsCost || (table != nil && output.isTerminal && !isQuiet) else { return }
        let elapsed = environment.services.clock.monotonicNanoseconds() &- start
        let cost = result.statistics
        // Rows that a table omitted were read but not shown.
        let shownCount = table.map { UInt64($0.rowsWritten) } ?? rowCount
        var line = cost.text(rowCount: shownCount, nanoseconds: elapsed)
        if tellsCost { line += " · \(Formatting.bytes(cost.bytesDecoded)) decompressed" }
        environment.note(line + "\n")
    }
}
