import FirnEngine
import FirnFormats
import FirnQuery
import FirnSyntax
import FirnTools
import FirnValues

/// Running queries and showing results.
extension Session {
    // MARK: Showing

    /// Writes a result to its destination.
    ///
    /// - Parameter target: the destination of this result; `nil` for the current setting.
    func show<Result>(
        to target: Settings.Target? = nil,
        _ body: (Destination) throws(CommandFailure) -> Result?
    ) throws(CommandFailure) -> Result? {
        let target = target ?? settings.once
        settings.once = nil
        if target == nil, let output { return try body(output) }
        let destination = try Destination(target ?? .standard, pager: pager, environment)
        let result: Result?
        do throws(CommandFailure) {
            result = try body(destination)
        } catch {
            guard destination.isEnough(error) else {
                destination.abandon()
                throw error
            }
            try destination.commit()
            return nil
        }
        try destination.commit()
        return result
    }

    /// Shows a text as a result.
    func show(_ text: String) throws(CommandFailure) {
        _ = try show { destination throws(CommandFailure) in
            try destination.environment.print(text)
        }
    }

    /// Shows a report: a text for people, or one line for programs.
    func show(text: String, json: String) throws(CommandFailure) {
        try show(isForPeople ? text : json)
    }

    /// Whether reports are text, as results are tables.
    var isForPeople: Bool {
        if settings.style.format != "auto" {
            return !["json", "ndjson"].contains(settings.style.format)
        }
        return environment.outputIsTerminal && settings.once == nil && output == nil
    }

    private var pager: String? {
        switch settings.paging {
        case .off: nil
        case .on: UserPager.command(environment)
        case .command(let line): line
        }
    }

    // MARK: Asking

    /// Runs a query and shows its rows.
    ///
    /// - Parameters:
    ///   - target: the destination; `nil` for the current setting.
    ///   - format: the format; `nil` for the current setting.
    ///   - whole: the result that the rows are a part of; `nil` for the query itself.
    ///   - shownCount: the number of rows shown before these.
    ///   - keepsResult: whether the query becomes the last result.
    func run(
        _ query: ShellQuery, to target: Settings.Target? = nil, format: String? = nil,
        of whole: ShellQuery? = nil, behind shownCount: UInt64 = 0, keepsResult: Bool = true
    ) throws(CommandFailure) {
        let database = try openDatabase()
        let snapshot = try snapshot()
        let printed = PrintedQuery(
            query.text, defaultClass: query.defaultClass, arguments: arguments)
        let bound = try printed.bound(snapshot, named: database.path)
        var printedCount: UInt64 = 0
        /// Makes the query the last result, unless only its plan was shown.
        func keep(isCut: Bool) {
            guard keepsResult, !settings.explains else { return }
            results.set(
                whole ?? query, of: bound.classSchema.name,
                Results.Size(rowCount: shownCount + printedCount, isCut: isCut))
        }
        let outcome: PrintedQuery.Outcome?
        do throws(CommandFailure) {
            outcome = try show(to: target) { destination throws(CommandFailure) in
                var style = settings.style
                if let format {
                    style.format = format
                } else if style.format == "auto", let named = destination.format {
                    style.format = named
                }
                return try printed.print(
                    bound, snapshot, of: database.database, named: database.path, style,
                    explaining: settings.explains, counting: &printedCount,
                    destination.environment)
            }
        } catch {
            // A result that was interrupted while it was shown can be refined; a query that was
            // interrupted before has no result.
            if case .interrupted = error, printedCount > 0 { keep(isCut: true) }
            throw error
        }
        guard let outcome else {
            // The pager does not say how many rows the user has seen.
            keep(isCut: true)
            if keepsResult { results.shownCount = shownCount }
            return
        }
        keep(isCut: outcome.isCut)
        if keepsResult, !settings.explains { results.isShortened = outcome.isShortened }
        if outcome.isCut {
            report(
                Session.rowsText(outcome.rowCount, behind: shownCount) + "; .more shows the next")
        }
        reportWidth(of: outcome)
        if settings.showsCost, let cost = outcome.cost {
            report(cost)
        } else if let columns = outcome.columns {
            report(columns)
        }
    }

    /// Explains how to see all of a result that is wider than the terminal.
    private func reportWidth(of outcome: PrintedQuery.Outcome) {
        if outcome.isTooWide {
            report(
                "too wide for a table: choose columns with | select(...), "
                    + "or print lines with .mode line")
        } else if outcome.columns != nil, !toldColumns {
            // Once per session: the number of columns is below each table.
            toldColumns = true
            report("some columns do not fit: .more shows all, | select(...) chooses some")
        }
    }

    /// Returns the range of the shown rows, such as `rows 4 to 6`.
    private static func rowsText(_ count: UInt64, behind shownCount: UInt64) -> String {
        guard shownCount > 0, count > 0 else {
            return count == 1
                ? "only the first row" : "only the first \(Formatting.count(count, "row"))"
        }
        let first = Formatting.count(shownCount + 1)
        return count == 1
            ? "row \(first)" : "rows \(first) to \(Formatting.count(shownCount + count))"
    }

    /// Returns the query of a statement, including the result that it refines.
    func query(of statement: ShellStatement) throws(CommandFailure) -> ShellQuery {
        switch statement.start {
        case .objects:
            return ShellQuery(parts: [statement.query], defaultClass: className)
        case .lastResult:
            guard let last = results.last else {
                throw .diagnostic(
                    Diagnostic(.usageQuery, "there is no earlier result to refine"))
            }
            return last.refined(by: statement.query)
        case .saved(let name): return try saved(name).refined(by: statement.query)
        }
    }

    func saved(_ name: String) throws(CommandFailure) -> ShellQuery {
        if let query = results.saved[name] { return query }
        var diagnostic = Diagnostic(
            .usageQuery, "no result is saved as \"\(SafeText.escaping(name))\"")
        diagnostic.suggestions = NearestNames.misspelt(
            name, among: results.saved.keys.sorted())
        diagnostic.remedy =
            diagnostic.suggestions.first.map { "did you mean \"\($0)\"?" } ?? "see: .results"
        throw .diagnostic(diagnostic)
    }

    // MARK: Statements

    /// Runs the statements of a text.
    func execute(statement text: String) throws(CommandFailure) {
        try checkHabit(text)
        let statements: [ShellStatement]
        do { statements = try ShellStatement.parse(text) } catch {
            throw .diagnostic(Diagnostic(error, text: text, file: database?.path))
        }
        for statement in statements { try execute(statement) }
    }

    private func execute(_ statement: ShellStatement) throws(CommandFailure) {
        let query = try query(of: statement)
        switch statement.ending {
        case .rows: try run(query)
        case .change: try change(query)
        case .observe:
            try observe(query)
        case .output(let format):
            guard PrintedQuery.formatNames.contains(format) else {
                throw .diagnostic(Session.unknownFormat(format))
            }
            try run(query, format: format)
        case .save(let name):
            try checkQuery(query)
            results.saved[name] = query
            report("saved as :\(SafeText.escaping(name))")
        case .shell(let command):
            try checkSafe("shell commands")
            try run(query, to: .command(command))
        }
    }

    /// Checks that a query can run.
    func checkQuery(_ query: ShellQuery) throws(CommandFailure) {
        let printed = PrintedQuery(
            query.text, defaultClass: query.defaultClass, arguments: arguments)
        _ = try printed.bound(try snapshot(), named: try openDatabase().path)
    }

    static func unknownFormat(_ name: String) -> Diagnostic {
        var diagnostic = Diagnostic(
            .usageArguments, "unknown format \"\(SafeText.escaping(name))\"")
        let names = PrintedQuery.formatNames
        diagnostic.suggestions = NearestNames.misspelt(name, among: names)
        diagnostic.details = ["formats: \(names.joined(separator: ", "))"]
        diagnostic.remedy = diagnostic.suggestions.first.map { "did you mean \"\($0)\"?" }
        return diagnostic
    }
}
