import FirnEngine
import FirnPlatform
package import FirnQuery
package import FirnValues

/// A query whose rows are printed, as the interactive shell does it.
package struct PrintedQuery {
    /// How results are shown.
    package struct Style: Hashable {
        /// One of ``PrintedQuery/formatNames``.
        package var format = "auto"
        /// One of ``PrintedQuery/colorNames``.
        package var color = "auto"
        package var nullText: String?
        /// The columns of a line of a table; `nil` for those of the terminal.
        package var width: Int?
        /// How many rows of a table are shown; `nil` for all.
        package var rowsMax: Int?

        package init() {}
    }

    /// What was printed.
    package struct Outcome {
        package let rowCount: UInt64
        /// Whether a table left out the rest.
        package let isCut: Bool
        /// Whether rows did not fit into a table, and have a line for each property instead.
        package let isTooWide: Bool
        /// What it cost, such as `3 rows · 1.2 ms · 4 of 120 pages read`; `nil` of a plan, whose lines
        /// are no rows that anybody asked for.
        package let cost: String?
    }

    /// The names of the formats.
    package static var formatNames: [String] { RowFormat.allCases.map(\.rawValue) }

    /// When tables are coloured.
    package static var colorNames: [String] { When.allCases.map(\.rawValue) }

    /// The format that the name of a file asks for.
    package static func format(of path: String) -> String? { RowFormat(path: path)?.rawValue }

    /// Refuses the name of a file that promises a format which there is not, unless the environment
    /// chooses one.
    package static func checkSuffix(
        of path: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        guard environment.variable("FIRN_FORMAT") == nil else { return }
        try RowFormat.checkSuffix(of: path, choice: "choose one with .mode") { $0 != .auto }
    }

    /// Whether the name of a file promises another format than one that is chosen.
    package static func promisesOther(_ path: String, than format: String) -> Bool {
        guard let named = RowFormat(path: path), let chosen = RowFormat(rawValue: format) else {
            return false
        }
        return chosen != .auto && named.suffix != chosen.suffix
    }

    private let text: String
    private let defaultClass: String?
    private let arguments: [String: Value]

    /// - Parameters:
    ///   - defaultClass: the class of a text that names none.
    ///   - arguments: the values of `$name`.
    package init(_ text: String, defaultClass: String?, arguments: [String: Value]) {
        self.text = text
        self.defaultClass = defaultClass
        self.arguments = arguments
    }

    /// Prints the rows to standard output.
    ///
    /// - Parameters:
    ///   - database: with the version to ask, and with the name that errors call it.
    ///   - explaining: whether the plan is wanted instead.
    package func print(
        _ snapshot: DatabaseSnapshot, of database: Database, named file: String, _ style: Style,
        explaining: Bool = false, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> Outcome {
        let clock = environment.services.clock
        let start = clock.monotonicNanoseconds()
        let open = OpenDatabase(file, database, snapshot)
        let limit = TimeLimit(nil, from: start, environment)
        let result = try open.query(
            text, defaultClass: defaultClass, arguments: arguments, explaining: explaining,
            isStopped: limit.isReached)
        let layout = result.isPlan ? layout(style).ofPlan : layout(style)
        let output = try RowOutput(nil, existing: .replaced, environment)
        let writer = try layout.writer(for: result.columns, output, environment)
        // Also a query whose only row comes at its end can be interrupted.
        let rowCount = try limit.watching { () throws(CommandFailure) in
            try RowTransfer(result, database: open, text: text, layout.objects)
                .run(into: writer, output, environment)
        }
        let table = writer as? TableWriter
        // What a table left out was read and is not shown.
        let shownCount = table.map { UInt64($0.rowsWritten) } ?? rowCount
        let elapsed = clock.monotonicNanoseconds() &- start
        return Outcome(
            rowCount: shownCount,
            isCut: table?.isCut ?? false,
            isTooWide: shownCount > 0 && table?.isTooWide ?? false,
            cost: result.isPlan
                ? nil : result.statistics.text(rowCount: shownCount, nanoseconds: elapsed))
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

    /// The values of a query, column by column, for callers that show them in their own way.
    package func values(
        _ snapshot: DatabaseSnapshot, named file: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> [[Value]] {
        do throws(QueryFailure) {
            return try snapshot.values(
                try bound(snapshot), isStopped: environment.isInterrupted)
        } catch {
            try environment.checkSignals()
            throw failure(error, file)
        }
    }

    /// The query with its names resolved.
    package func bound(_ snapshot: DatabaseSnapshot) throws(QueryFailure) -> BoundQuery {
        let context = BindingContext(
            schema: snapshot.schema, defaultClass: defaultClass, arguments: arguments,
            now: snapshot.now)
        do { return try BoundQuery(text, entry: .pipeline, in: context) } catch {
            throw .query(error)
        }
    }

    /// What is told of an error of this query.
    package func failure(_ error: QueryFailure, _ file: String) -> CommandFailure {
        switch error {
        case .query(let error): .diagnostic(Diagnostic(error, text: text, file: file))
        case .store(let error): CommandFailure(error)
        }
    }
}

extension QueryStatistics {
    /// What it cost, such as `3 rows · 1.2 ms · 4 of 120 pages read`.
    func text(rowCount: UInt64, nanoseconds: UInt64) -> String {
        "\(Formatting.count(rowCount, "row")) · \(Formatting.time(nanoseconds))"
            + " · \(pagesRead) of \(Formatting.count(UInt64(max(0, pagesTotal)), "page")) read"
    }
}
