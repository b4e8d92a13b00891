import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnSyntax
import FirnValues

/// One run of `query`: prints the rows of each statement.
struct QueryRun: CommandRun {
    private let options: QueryOptions
    private let environment: CommandEnvironment
    private let start: UInt64
    private let line: Progress

    /// A statement that has begun.
    private struct StatementResult {
        let text: TypedText
        let query: BoundQuery
        let rows: any ResultRows
    }

    init(_ options: QueryOptions, _ environment: CommandEnvironment) {
        self.options = options
        self.environment = environment
        start = environment.services.clock.monotonicNanoseconds()
        line = Progress(options.progress, quiet: options.isQuiet, environment)
    }

    func stateAfterInterruption() -> String? {
        let file = "\(SafeText.escaping(options.file)) was only read"
        guard let output = options.rows.output, output != "-" else { return file }
        return "\(SafeText.escaping(output)) was not written, and \(file)"
    }

    func run() throws(CommandFailure) -> ExitStatus {
        defer { line.clear() }
        let arguments = try allArguments()
        let statements = try statements()
        let limit = TimeLimit(options.timeoutNanoseconds, from: start, environment)
        let database = try QueriedDatabase(options, environment)
        // If one query is invalid, there is no output at all.
        var results: [StatementResult] = []
        for (text, line) in statements {
            do {
                let query = try database.open.bound(
                    text, defaultClass: database.className, arguments: arguments)
                let rows = try rows(of: query, text, database, limit)
                results.append(StatementResult(text: text, query: query, rows: rows))
            } catch {
                guard statements.count > 1, case .diagnostic(var diagnostic) = error else {
                    throw error
                }
                diagnostic.details.append("in line \(line) of standard input")
                throw .diagnostic(diagnostic)
            }
        }
        if !options.rows.form.partitions.isEmpty {
            return try writePartitions(results, database, limit)
        }
        let output = try RowOutput(
            options.rows.output, existing: .replaced,
            compression: options.rows.output.flatMap { Compression(path: $0) }, environment)
        var rowCount: UInt64 = 0
        var begun = start
        for result in results {
            rowCount += try limit.watching { () throws(CommandFailure) in
                try print(result, database, to: output, since: begun)
            }
            begun = environment.services.clock.monotonicNanoseconds()
        }
        try output.commit()
        if !options.isQuiet { for note in output.notes { environment.note(note + "\n") } }
        return options.failsWithoutRows && rowCount == 0 ? .no : .ok
    }

    /// Returns the rows of a query, or the rows that explain it.
    private func rows(
        of query: BoundQuery, _ text: TypedText, _ database: QueriedDatabase, _ limit: TimeLimit
    ) throws(CommandFailure) -> any ResultRows {
        func run(
            explaining: Bool, measuring: Bool = false
        ) throws(CommandFailure) -> any ResultRows {
            let clock = environment.services.clock
            let running = RunningQuery(line, limit)
            let rows = try database.open.rows(
                query, text, explaining: explaining,
                measuringBy: measuring ? { clock.monotonicNanoseconds() } : nil,
                isStopped: running.isStopped)
            if !explaining { running.follow(rows) }
            return rows
        }
        switch options.explanation {
        case nil: return try run(explaining: false)
        case .plan: return try run(explaining: true)
        case .analyzed:
            return AnalyzedRows(
                plan: try run(explaining: true),
                run: try run(explaining: false, measuring: true), environment)
        }
    }

    private func allArguments() throws(CommandFailure) -> QueryArguments {
        guard let file = options.parameterFile else { return options.arguments }
        var arguments = options.arguments
        arguments.values = try ParameterFile.read(file, environment).merging(arguments.values) {
            $1
        }
        return arguments
    }

    /// Prints the rows of one statement.
    ///
    /// - Returns: the number of rows.
    private func print(
        _ statement: StatementResult, _ database: QueriedDatabase, to output: RowOutput,
        since start: UInt64
    ) throws(CommandFailure) -> UInt64 {
        let result = statement.rows
        let text = statement.text.text
        var rows = layout(database)
        if result.isPlan { rows = rows.ofPlan }
        rows.tableName = database.open.tableName(text, defaultClass: database.className)
        if output.isTerminal || rows.width != nil {
            rows.setColumnRoles(of: statement.query)
        }
        let isRaw = rows.isRaw || rows.endsWithNUL
        let format = isRaw ? nil : try rows.resolvedFormat(output, environment)
        if let format, !result.isPlan { try rows.form.check(format) }
        let writer: any ResultWriter
        if let format, format.isColumnar {
            writer = try ColumnarOutput(
                format: format, database: database.open, objects: rows.objects,
                codec: (rows.form.codec ?? .zstd).codec, environment: environment
            ).writer(
                output, rows.output, result.columns, metadata: [],
                again: again(statement, database))
        } else if format == .sqlite {
            writer = try rows.sqliteWriter(for: result.columns, output, environment)
        } else {
            writer = try rows.writer(for: result.columns, output, environment)
        }
        let transfer = RowTransfer(
            result, database: database.open, text: statement.text, rows.objects)
        let rowCount = try transfer.run(into: writer, output, environment, replacing: line)
        line.clear()
        if options.wantsOne, rowCount != 1 {
            output.abandon()
            throw .diagnostic(
                Diagnostic(
                    .queryNotOne, "\(Formatting.count(rowCount, "row")) where -1 requires one"))
        }
        reportCost(rowCount, start, result, text, writer, output)
        return rowCount
    }

    private func again(
        _ statement: StatementResult, _ database: QueriedDatabase
    ) -> ColumnarOutput.Repetition {
        { needed throws(CommandFailure) in
            (try database.open.rows(statement.query, statement.text), needed)
        }
    }

    /// Writes a folder with the rows of the only statement.
    private func writePartitions(
        _ results: [StatementResult], _ database: QueriedDatabase, _ limit: TimeLimit
    ) throws(CommandFailure) -> ExitStatus {
        guard results.count == 1, let only = results.first, !only.rows.isPlan,
            let path = options.rows.output
        else { throw .diagnostic(.usage("--split-by writes the rows of one query")) }
        let layout = layout(database)
        let format = layout.format ?? RowFormat(path: path) ?? .parquet
        try layout.form.check(format)
        let output = PartitionedOutput(
            path: path, format: format,
            form: layout.form, existing: .refused, hasHeader: layout.hasHeader,
            nullText: layout.nullText, compression: nil, objects: layout.objects,
            database: database.open, environment: environment)
        let written = try limit.watching { () throws(CommandFailure) in
            try output.write(only.rows, only.text, again: again(only, database)) { _ in }
        }
        line.clear()
        if !options.isQuiet { for note in written.notes { environment.note(note + "\n") } }
        return options.failsWithoutRows && written.rowCount == 0 ? .no : .ok
    }

    /// Returns the layout of the output.
    ///
    /// A given delimiter is that of the output, unless the input is a table, which it describes then.
    private func layout(_ database: QueriedDatabase) -> RowLayout {
        var layout = options.rows
        if database.isDatabase { layout.form.delimiter = options.records.dialect.delimiter }
        return layout
    }

    /// Returns the texts of the statements, and the lines of standard input where they begin.
    private func statements() throws(CommandFailure) -> [(text: TypedText, line: Int)] {
        let query = options.query
        let isRead =
            query == ["-"]
            || (query.isEmpty && options.className == nil && !environment.inputIsTerminal)
        guard options.queryFile == nil, isRead else { return [(try text(), 1)] }
        let input = try QueryText.read("-", environment)
        let statements = QueryStatements(input).all
        // The parser reports an empty query.
        guard !statements.isEmpty else { return [(try text(of: [input]), 1)] }
        var texts: [(text: TypedText, line: Int)] = []
        for statement in statements {
            texts.append((try text(of: [statement.text]), statement.line))
        }
        return texts
    }

    private func text() throws(CommandFailure) -> TypedText {
        if let file = options.queryFile {
            return try text(of: [try QueryText.read(file, environment)])
        } else if options.query.isEmpty, let className = options.className {
            return try text(of: [], className)
        } else if options.query.isEmpty {
            throw .diagnostic(
                .usage(
                    "no query given", remedy: "for example: firn query FILE 'Person age > 30'"))
        }
        return try text(of: options.query)
    }

    private func text(
        of stages: [String], _ className: String? = nil
    ) throws(CommandFailure) -> TypedText {
        var text = QueryText()
        text.className = className
        text.stages = stages
        text.sort = options.sort
        text.skip = options.skip
        text.limit = options.limit
        text.properties = options.properties
        text.counts = options.counts
        return try text.joined()
    }

    private func reportCost(
        _ rowCount: UInt64, _ start: UInt64, _ result: any ResultRows, _ text: String,
        _ writer: any ResultWriter, _ output: RowOutput
    ) {
        let table = writer as? TableWriter
        if let table, table.isCut, !options.isQuiet {
            environment.note(
                "only the first \(Formatting.count(UInt64(table.rowsWritten), "row"))\n")
        }
        if let table, rowCount > 0, !options.isQuiet { reportWidth(table) }
        if rowCount == 0, !options.isQuiet, let pattern = ForeignPattern.like(in: text) {
            environment.note(
                "in LIKE, * matches any text and ? a character, not % and _ as in "
                    + "\"\(SafeText.excerpt(of: pattern.utf8))\"\n")
        }
        // The lines of a plan are not rows of the result.
        guard !result.isPlan else { return }
        guard options.reportsCost || (table != nil && output.isTerminal && !options.isQuiet) else {
            return
        }
        let elapsed = environment.services.clock.monotonicNanoseconds() &- start
        let cost = result.statistics
        // Rows that a table omitted were read but not shown.
        let shownCount = table.map { UInt64($0.rowsWritten) } ?? rowCount
        var line = cost.text(
            rowCount: shownCount, columns: table?.columnsText, nanoseconds: elapsed)
        if options.reportsCost { line += " · \(Formatting.bytes(cost.bytesDecoded)) decompressed" }
        environment.note(line + "\n")
    }

    /// Explains how to see all of a result that is wider than the terminal.
    private func reportWidth(_ table: TableWriter) {
        let omitted = UInt64(table.omittedColumnCount)
        if table.isTooWide {
            environment.note(
                "too wide for a table: choose columns with -s, or print lines with -f line\n")
        } else if omitted > 0 {
            environment.note(
                "\(Formatting.count(omitted, "more column")): choose columns with -s, "
                    + "or print lines with -f line\n")
        }
    }
}
