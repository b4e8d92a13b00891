import ArgumentParser
import FirnFormats
import FirnValues

/// The options for the rows of a query.
struct RowOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            """
            auto (table on a terminal, otherwise ndjson), table, box, line, csv, tsv, ndjson, \
            json, markdown, html, insert, sql, sqlite, parquet or arrow.
            """))
    var format: RowFormat?

    @Option(name: .shortAndLong, help: "Write to a file, which appears only when it is complete.")
    var output: String?

    @Option(name: .long, help: "Use colours: auto, always or never.")
    var color: When = .auto

    @Flag(name: .shortAndLong, help: "Print the values of the only column without quotes.")
    var raw = false

    @Flag(
        name: [.customShort("0"), .customLong("null-terminated")],
        help: "Like -r, but end each value with a NUL.")
    var endsWithNUL = false

    @Option(
        name: .customLong("null"),
        help: "The text for null in formats without a null of their own.")
    var nullText: String?

    @Flag(name: .long, help: "Omit the column names.")
    var noHeader = false

    @Option(name: .customLong("rows"), help: "Show this many rows of a table, or all.")
    var rowsMax: RowsMax = .all

    @Option(name: .long, help: "The width of a table, in columns.")
    var width: Int?

    @Flag(name: .long, help: "Wrap long values of a table instead of truncating them.")
    var wrap = false

    mutating func validate() throws {
        if let width, width < 1 { throw ValidationError("--width must be at least 1") }
        // In csv and tsv, raw means values without quotes.
        if raw || endsWithNUL, let format, ![.csv, .tsv].contains(format) {
            throw ValidationError(
                "-r and -0 need csv or tsv: choose one of these, or omit -f")
        }
    }

    /// Returns the given values, with those for linked objects and for files.
    func layout(_ objects: ObjectOptions, _ form: FileFormOptions) -> RowLayout {
        var layout = RowLayout()
        layout.format = format
        layout.output = output
        layout.color = color
        layout.isRaw = raw
        layout.endsWithNUL = endsWithNUL
        layout.nullText = nullText
        layout.hasHeader = !noHeader
        layout.rowsMax = rowsMax
        layout.width = width
        layout.wraps = wrap
        layout.objects = objects.layout
        layout.form = form.form
        return layout
    }
}

/// The number of table rows to show.
enum RowsMax: ExpressibleByArgument, Hashable {
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
