import FirnEngine
package import FirnFormats
import FirnPlatform
package import FirnQuery
package import FirnValues

/// A query whose rows are printed, for the interactive shell.
package struct PrintedQuery {
    /// The display of results.
    package struct Style: Hashable {
        /// One of ``PrintedQuery/formatNames``.
        package var format = "auto"
        /// One of ``PrintedQuery/colorNames``.
        package var color = "auto"
        package var nullText: String?
        /// The width of a table in columns; `nil` for the width of the terminal.
        package var width: Int?
        /// The maximum number of rows of a table; `nil` for all.
        package var rowsMax: Int?

        package init() {}
    }

    /// The outcome of printing.
    package struct Outcome {
        package let rowCount: UInt64
        /// Whether a table omitted rows.
        package let isCut: Bool
        /// Whether the rows did not fit into a table, and were printed with one line per property.
        package let isTooWide: Bool
        /// The number of shown columns, such as `11 of 20 columns`; `nil` if all are shown.
        package let columns: String?
        /// Whether a table omitted columns or the ends of texts.
        package let isShortened: Bool
        /// The pages that were read; `nil` for a plan, whose lines are not rows of the result.
        fileprivate let statistics: QueryStatistics?
        fileprivate let nanoseconds: UInt64

        /// The cost, such as `3 rows · 1.2 ms · 4 of 120 pages read`; `nil` for a plan.
        package var cost: String? {
            statistics?.text(rowCount: rowCount, columns: columns, nanoseconds: nanoseconds)
        }
    }

    /// The names of the formats.
    package static var formatNames: [String] {
        RowFormat.allCases.filter { !$0.isBinary }.map(\.rawValue)
    }

    /// The names of the color settings.
    package static var colorNames: [String] { When.allCases.map(\.rawValue) }

    /// Returns the format that the suffix of a file name determines.
    package static func format(of path: String) -> String? {
        RowFormat(path: path).flatMap { $0.isBinary ? nil : $0.rawValue }
    }

    /// Rejects a file name whose suffix is an unknown format, unless the environment chooses a
    /// format.
    package static func checkSuffix(
        of path: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        guard environment.variable("FIRN_FORMAT") == nil else { return }
        try RowFormat.checkSuffix(of: path, choice: "choose one with .mode") {
            $0 != .auto && !$0.isBinary
        }
        // Columns with types are written from one query, as by a command.
        guard RowFormat(path: path)?.isBinary == true else { return }
        throw .diagnostic(
            .usage(
                "the shell writes no SQLite, Parquet or Arrow",
                remedy: "use firn query -o or firn export"))
    }

    /// Returns whether the suffix of a file name determines a different format than the chosen one.
    package static func promisesOther(_ path: String, than format: String) -> Bool {
        guard let named = RowFormat(path: path), let chosen = RowFormat(rawValue: format) else {
            return false
        }
        return chosen != .auto && named.suffix != chosen.suffix
    }

    private let text: String
    private let defaultClass: String?
    private let arguments: QueryArguments

    /// - Parameters:
    ///   - defaultClass: the class of a query that names no class.
    ///   - arguments: the values of `$name`.
    package init(_ text: String, defaultClass: String?, arguments: QueryArguments) {
        self.text = text
        self.defaultClass = defaultClass
        self.arguments = arguments
    }

    /// Prints the rows to standard output.
    ///
    /// - Parameters:
    ///   - query: this query, bound to the snapshot.
    ///   - database: the database, with the version to read and its name in errors.
    ///   - explaining: whether to print the plan instead.
    ///   - shownCount: set to the number of printed rows, also after an error.
    package func print(
        _ query: BoundQuery, _ snapshot: DatabaseSnapshot, of database: Database,
        named file: String,
        _ style: Style,
        explaining: Bool = false, counting shownCount: inout UInt64,
        _ environment: CommandEnvironment
    ) throws(CommandFailure) -> Outcome {
        let clock = environment.services.clock
        let start = clock.monotonicNanoseconds()
        let open = OpenDatabase(file, database, snapshot)
        let limit = TimeLimit(nil, from: start, environment)
        let line = Progress(.auto, quiet: environment.verbosity < 0, environment)
        defer { line.clear() }
        let running = RunningQuery(line, limit)
        let typed = TypedText(text)
        let result = try open.rows(
            query, typed, explaining: explaining, isStopped: running.isStopped)
        running.follow(result)
        var layout = result.isPlan ? layout(style).ofPlan : layout(style)
        layout.setColumnRoles(of: query)
        let output = try RowOutput(nil, existing: .replaced, environment)
        let writer = try layout.writer(for: result.columns, output, environment)
        let table = writer as? TableWriter
        var rowCount: UInt64 = 0
        // Rows that a table omitted were read but not shown.
        func noteShown() { shownCount = table.map { UInt64($0.rowsWritten) } ?? rowCount }
        defer { noteShown() }
        // A query that returns its only row at the end can be interrupted too.
        try limit.watching { () throws(CommandFailure) in
            _ = try RowTransfer(result, database: open, text: typed, layout.objects)
                .run(into: writer, output, environment, replacing: line) { rowCount = $0 }
        }
        line.clear()
        noteShown()
        let elapsed = clock.monotonicNanoseconds() &- start
        return Outcome(
            rowCount: shownCount,
            isCut: table?.isCut ?? false,
            isTooWide: shownCount > 0 && table?.isTooWide ?? false,
            columns: shownCount > 0 ? table?.columnsText : nil,
            isShortened: table.map { $0.isShortened || $0.omittedColumnCount > 0 } ?? false,
            statistics: result.isPlan ? nil : result.statistics, nanoseconds: elapsed)
    }

    private func layout(_ style: Style) -> RowLayout {
        var layout = RowLayout()
        let format = RowFormat(rawValue: style.format)
        layout.format = format == .auto ? nil : format
        layout.color = When(rawValue: style.color) ?? .auto
        layout.nullText = style.nullText
        layout.width = style.width
        layout.rowsMax = style.rowsMax.map { .count($0) } ?? .all
        return layout
    }

    /// Returns the values of a query by column, for callers that display them on their own.
    package func values(
        _ snapshot: DatabaseSnapshot, named file: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> [[Value]] {
        let query = try bound(snapshot, named: file)
        do {
            return try snapshot.values(query, isStopped: environment.isInterrupted)
        } catch {
            try environment.checkSignals()
            throw CommandFailure(error, text: text, file: file)
        }
    }

    /// Runs the query and discards its rows.
    ///
    /// - Returns: the number of rows.
    package func rowCount(
        _ snapshot: DatabaseSnapshot, named file: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> Int {
        let query = try bound(snapshot, named: file)
        var count = 0
        do {
            let rows = try snapshot.rows(query, isStopped: environment.isInterrupted)
            while let batch = try rows.next() { count += batch.rowCount }
        } catch {
            try environment.checkSignals()
            throw CommandFailure(error, text: text, file: file)
        }
        try environment.checkSignals()
        return count
    }

    /// Returns the query with its names resolved.
    ///
    /// - Parameter file: the name of the database in errors.
    package func bound(
        _ snapshot: DatabaseSnapshot, named file: String
    ) throws(CommandFailure) -> BoundQuery {
        do {
            return try snapshot.bound(text, defaultClass: defaultClass, arguments: arguments)
        } catch {
            throw CommandFailure(error, text: text, file: file)
        }
    }
}

extension QueryStatistics {
    /// Returns the cost, such as `3 rows · 1.2 ms · 4 of 120 pages read`.
    ///
    /// - Parameter columns: the number of shown columns, if some are omitted.
    func text(rowCount: UInt64, columns: String? = nil, nanoseconds: UInt64) -> String {
        Formatting.count(rowCount, "row") + (columns.map { " · \($0)" } ?? "")
            + " · \(Formatting.time(nanoseconds))"
            + " · \(pagesRead) of \(Formatting.count(UInt64(max(0, pagesTotal)), "page")) read"
    }
}
