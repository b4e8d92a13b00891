import ArgumentParser
import FirnQuery
import FirnValues

/// How the rows of a query are printed.
struct RowOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: "auto (table on a terminal, otherwise ndjson), table, csv, tsv, ndjson or json.")
    var format: RowFormat?

    @Option(name: .shortAndLong, help: "Write to a file, which appears only when it is complete.")
    var output: String?

    @Option(name: .long, help: "Colour: auto, always or never.")
    var color: When = .auto

    @Flag(name: .shortAndLong, help: "Print the values of the only column without quotes.")
    var raw = false

    @Flag(
        name: [.customShort("0"), .customLong("null-terminated")],
        help: "Like -r, but a NUL ends each value.")
    var endsWithNUL = false

    @Option(
        name: .customLong("null"), help: "What stands for null in table, csv, tsv and raw output.")
    var nullText: String?

    @Flag(name: .long, help: "No names of columns in table, csv and tsv.")
    var noHeader = false

    @Option(name: .customLong("rows"), help: "Rows of a table to show: a number or all.")
    var rowsMax: RowsMax = .all

    @Option(name: .long, help: "Columns that a line of a table may take.")
    var width: Int?

    @OptionGroup var objects: ObjectOptions

    mutating func validate() throws {
        if let width, width < 1 { throw ValidationError("--width must be at least 1") }
        // In csv and tsv, raw means: the values without their quotes.
        if raw || endsWithNUL, let format, ![.csv, .tsv].contains(format) {
            throw ValidationError(
                "-r and -0 go with csv and tsv: choose one of those, or leave out -f")
        }
    }

    func writer(
        for columns: [ResultColumn], _ output: RowOutput, _ surroundings: Surroundings
    ) throws(CommandFailure) -> any ResultWriter {
        var options = WriterOptions()
        options.header = !noHeader
        options.nullText = nullText
        options.quotesInt64 = objects.quotesInt64
        if raw || endsWithNUL {
            guard columns.count == 1 else {
                throw .diagnostic(
                    .usage(
                        "-r and -0 print one column, the result has \(columns.count)",
                        remedy: "choose one with -s PROPERTY"))
            }
            return RawWriter(output.sink, options, endsWithNUL: endsWithNUL)
        }
        switch try resolvedFormat(output, surroundings) {
        case .table, .auto: return TableWriter(output.sink, tableOptions(output, surroundings))
        case .csv: return CSVWriter(output.sink, options)
        case .tsv: return TSVWriter(output.sink, options)
        case .ndjson: return JSONWriter(output.sink, .lines, options)
        case .json: return JSONWriter(output.sink, .array, options)
        }
    }

    /// Flag, then the name of the output, then the environment, then what reads it.
    private func resolvedFormat(
        _ output: RowOutput, _ surroundings: Surroundings
    ) throws(CommandFailure) -> RowFormat {
        if let format, format != .auto { return format }
        if format == nil, let path = self.output, let named = RowFormat(path: path) { return named }
        if format == nil, let name = surroundings.variable("FIRN_FORMAT") {
            guard let chosen = RowFormat(rawValue: name) else {
                throw .diagnostic(.usage("FIRN_FORMAT is \"\(name)\", which is no format"))
            }
            if chosen != .auto { return chosen }
        }
        return output.isTerminal ? .table : .ndjson
    }

    private func tableOptions(_ output: RowOutput, _ surroundings: Surroundings) -> TableOptions {
        var options = TableOptions()
        options.header = !noHeader
        options.nullText = nullText.map { SafeText.escaping($0) } ?? "null"
        options.colour = TerminalStyle.usesColour(
            color, isTerminal: output.isTerminal, surroundings)
        options.drawsUnicode = TerminalStyle.usesUnicode(surroundings)
        options.width = TerminalStyle.width(width, isTerminal: output.isTerminal, surroundings)
        if case .count(let count) = rowsMax { options.rowsMax = count }
        return options
    }
}

/// How many rows of a table are shown.
enum RowsMax: ExpressibleByArgument {
    case all
    case count(Int)

    init?(argument: String) {
        if argument == "all" {
            self = .all
        } else if let count = Int(argument), count >= 0 {
            self = .count(count)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { "all" }
}
