import FirnPlatform
import FirnValues

/// The format of rows.
package enum RowFormat: String, CaseIterable {
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
    /// SQL statements that insert rows into a table.
    case insert
    /// The same, after the statement that creates the table.
    case sql
    /// An SQLite database, which is a file and never a stream.
    case sqlite
    case parquet
    /// An Arrow file; on a stream, an Arrow stream.
    case arrow

    /// Whether the format is for people only and cannot be read back.
    package var isDrawn: Bool { [.auto, .table, .box, .line].contains(self) }

    /// Whether the columns have types, and the output is not text.
    package var isColumnar: Bool { self == .parquet || self == .arrow }

    /// Whether the output has types, and is not text.
    package var isBinary: Bool { isColumnar || self == .sqlite }

    /// The style of a drawn table.
    package var tableStyle: TableStyle {
        switch self {
        case .box: .box
        case .line: .lines
        case .markdown: .markdown
        default: .plain
        }
    }

    /// The suffix of its files.
    package var suffix: String { self == .markdown ? "md" : self == .insert ? "sql" : rawValue }

    /// The format that a file name determines, with or without `.gz` or `.zst` after it.
    package init?(path: String) {
        let name = Compression.nameOfContent(path).lowercased()
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
        } else if [".sqlite", ".sqlite3", ".db", ".db3"].contains(where: { name.hasSuffix($0) }) {
            self = .sqlite
        } else if name.hasSuffix(".parquet") || name.hasSuffix(".pq") {
            self = .parquet
        } else if [".arrow", ".arrows", ".feather", ".ipc"].contains(where: { name.hasSuffix($0) })
        {
            self = .arrow
        } else {
            return nil
        }
    }

    /// Returns a writer of unchanged values; `nil` for a drawn format.
    ///
    /// - Parameter table: the target table of SQL.
    package func dataWriter(
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
        case .auto, .table, .box, .line, .markdown, .sqlite, .parquet, .arrow: nil
        }
    }

    /// Returns the parts of an SQL table that are written by default.
    package func tableParts(namesColumns: Bool) -> SQLTable.Parts {
        switch self {
        case .sql: [.definition, .transaction]
        default: namesColumns ? .columnNames : []
        }
    }
}

extension RowFormat {
    /// Rejects an output name whose suffix is an unknown format.
    ///
    /// - Parameters:
    ///   - path: the output; `nil` or `-` for standard output. A name without a suffix is accepted.
    ///   - choice: how to choose another format.
    ///   - isOffered: whether a format is available.
    package static func checkSuffix(
        of path: String?, choice: String = "choose one with -f",
        offering isOffered: (RowFormat) -> Bool
    ) throws(CommandFailure) {
        guard let path, path != "-", RowFormat(path: path) == nil,
            let suffix = PathName.suffix(of: Compression.nameOfContent(path))
        else { return }
        let names = RowFormat.allCases.filter(isOffered).map(\.rawValue)
        var diagnostic = Diagnostic.usage(
            "\(SafeText.escaping(path)): unknown format \(SafeText.escaping(suffix))",
            remedy: "\(choice): \(names.joined(separator: ", "))")
        diagnostic.suggestions = NearestNames.misspelt(suffix, among: names)
        if let near = diagnostic.suggestions.first {
            diagnostic.details = [diagnostic.remedy].compactMap(\.self)
            diagnostic.remedy = "did you mean \"\(near)\"?"
        }
        throw .diagnostic(diagnostic)
    }
}
