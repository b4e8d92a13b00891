import ArgumentParser

/// The formats that rows are written in.
enum RowFormat: String, ExpressibleByArgument, CaseIterable {
    /// A table on a terminal, otherwise ndjson.
    case auto
    case table
    /// A table with lines on all sides.
    case box
    /// One line per property.
    case line
    case csv
    case tsv
    case ndjson
    case json
    case markdown
    case html
    /// Statements of SQL that add rows to a table.
    case insert
    /// The same, behind the statement that makes the table.
    case sql

    /// Whether it is drawn for people, so that nothing reads it again.
    var isDrawn: Bool { [.auto, .table, .box, .line].contains(self) }

    /// How it is drawn.
    var tableStyle: TableStyle {
        switch self {
        case .box: .box
        case .line: .lines
        case .markdown: .markdown
        default: .plain
        }
    }

    /// What the names of its files end with.
    var suffix: String { self == .markdown ? "md" : self == .insert ? "sql" : rawValue }

    /// The format that a file name asks for.
    init?(path: String) {
        let name = path.lowercased()
        if name.hasSuffix(".csv") {
            self = .csv
        } else if name.hasSuffix(".tsv") || name.hasSuffix(".tab") {
            self = .tsv
        } else if name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") {
            self = .ndjson
        } else if name.hasSuffix(".json") {
            self = .json
        } else if name.hasSuffix(".md") || name.hasSuffix(".markdown") {
            self = .markdown
        } else if name.hasSuffix(".html") || name.hasSuffix(".htm") {
            self = .html
        } else if name.hasSuffix(".sql") {
            self = .sql
        } else {
            return nil
        }
    }

    /// What writes values as they are; `nil` for a format that is drawn.
    ///
    /// - Parameter table: what SQL writes to.
    func dataWriter(
        _ sink: any ByteSink, _ options: WriterOptions, _ table: SQLTable
    ) -> (any ResultWriter)? {
        switch self {
        case .csv where options.disarmsFormulas: SafeCSVWriter(sink, options)
        case .csv: CSVWriter(sink, options)
        case .tsv: TSVWriter(sink, options)
        case .ndjson: JSONWriter(sink, .lines, options)
        case .json: JSONWriter(sink, .array, options)
        case .html: HTMLWriter(sink, options)
        case .insert, .sql: SQLWriter(sink, table)
        case .auto, .table, .box, .line, .markdown: nil
        }
    }

    /// What of a table of SQL is written if nothing else is.
    func tableParts(namesColumns: Bool) -> SQLTable.Parts {
        switch self {
        case .sql: [.definition, .transaction]
        default: namesColumns ? .columnNames : []
        }
    }
}
