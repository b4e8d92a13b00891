import FirnFormats
import FirnQuery
import FirnValues

/// The layout of the rows of a query, as plain values.
struct RowLayout: Hashable {
    var format: RowFormat?
    var output: String?
    var color = When.auto
    var isRaw = false
    var endsWithNUL = false
    var nullText: String?
    var hasHeader = true
    var rowsMax = RowsMax.all
    var width: Int?
    var wraps = false
    /// The name of the SQL table.
    var tableName = "result"
    var objects = ObjectLayout()
    var form = FileForm()
    /// The names of the columns that come first in a table that cannot show all columns.
    var leadingColumns: [String] = []
    /// The names of the sort keys, and whether each is descending.
    var sortKeys: TextMap<Bool> = [:]

    /// The layout of a plan, whose lines are neither omitted nor truncated: a partial plan would
    /// mislead.
    var ofPlan: RowLayout {
        var layout = self
        layout.rowsMax = .all
        layout.wraps = true
        return layout
    }

    func writer(
        for columns: [ResultColumn], _ output: RowOutput, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> any ResultWriter {
        var options = WriterOptions()
        options.header = hasHeader
        options.nullText = nullText
        options.set(form, objects)
        if isRaw || endsWithNUL {
            guard !form.hasDecimalComma else {
                throw .diagnostic(.usage("--decimal-comma is for csv without -r and -0"))
            }
            guard form.delimiter == nil else {
                throw .diagnostic(.usage("--delimiter is for csv without -r and -0"))
            }
            guard columns.count == 1 else {
                throw .diagnostic(
                    .usage(
                        "-r and -0 print one column, but the result has \(columns.count)",
                        remedy: "choose one with -s PROPERTY"))
            }
            return RawWriter(output.sink, options, endsWithNUL: endsWithNUL)
        }
        let format = try resolvedFormat(output, environment)
        if [.insert, .sql].contains(format), columns.isEmpty {
            throw .diagnostic(.usage("an SQL table needs a column, and the result has none"))
        }
        let table = SQLTable(
            name: tableName, parts: format.tableParts(namesColumns: hasHeader))
        return format.dataWriter(output.dataSink, options, table)
            ?? TableWriter(output.sink, tableOptions(format, output, environment))
    }

    /// Returns the writer of a table of an SQLite database.
    func sqliteWriter(
        for columns: [ResultColumn], _ output: RowOutput, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> any ResultWriter {
        guard !columns.isEmpty else {
            throw .diagnostic(.usage("an SQL table needs a column, and the result has none"))
        }
        let database = try output.sqlite(environment)
        // Each of several statements gets a table.
        let name = database.newName(SQLTable(name: tableName, parts: []).name)
        return SQLiteResultWriter(database, SQLTable(name: name, parts: []))
    }

    /// Returns the format: the option takes precedence, then the name of the output, then the
    /// environment, then the default.
    func resolvedFormat(
        _ output: RowOutput, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> RowFormat {
        if let format, format != .auto { return format }
        if format == nil, let path = self.output, let named = RowFormat(path: path) { return named }
        if format == nil, let name = environment.variable("FIRN_FORMAT") {
            guard let chosen = RowFormat(rawValue: name) else {
                throw .diagnostic(.usage("FIRN_FORMAT is \"\(name)\", which is not a format"))
            }
            if chosen != .auto { return chosen }
        }
        // Checks early that the format matches the suffix of the output.
        if format == nil { try RowFormat.checkSuffix(of: self.output) { $0 != .auto } }
        return output.isTerminal ? .table : .ndjson
    }

    private func tableOptions(
        _ format: RowFormat, _ output: RowOutput, _ environment: CommandEnvironment
    ) -> TableOptions {
        var options = TableOptions()
        let style = format.tableStyle
        options.style = style
        options.wraps = wraps
        options.header = hasHeader
        options.nullText = nullText ?? (style == .markdown ? "" : "null")
        options.colour =
            style != .markdown
            && TerminalStyle.usesColour(color, isTerminal: output.isTerminal, environment)
        options.drawsUnicode = TerminalStyle.usesUnicode(environment)
        options.width = TerminalStyle.width(width, isTerminal: output.isTerminal, environment)
        if case .count(let count) = rowsMax { options.rowsMax = count }
        options.leadingColumns = leadingColumns
        options.sortKeys = sortKeys
        return options
    }
}
