import FirnValues

/// A format with typed columns.
package enum ColumnarFormat: Hashable, Sendable {
    case parquet
    /// An Arrow stream, or an Arrow file, which contains one.
    case arrow

    /// - Parameter beginning: the first bytes of an input.
    package init?(beginning: [UInt8]) {
        if beginning.starts(with: Array("PAR1".utf8)) {
            self = .parquet
        } else if beginning.starts(with: Array("ARROW1".utf8))
            || beginning.starts(with: [0xFF, 0xFF, 0xFF, 0xFF])
        {
            // The mark of a message of a stream is not text.
            self = .arrow
        } else {
            return nil
        }
    }
}

/// The format of an input.
package enum InputFormat: Hashable, Sendable {
    case table(DelimitedFormat)
    /// JSON or NDJSON: objects.
    case objects
    /// JSON or NDJSON: operations.
    case operations
    /// Parquet or Arrow, whose columns have types.
    case columnar(ColumnarFormat)

    /// Determines the format of an input by its name, otherwise by its first bytes.
    ///
    /// - Parameter dialect: what the command line says about the form of a table.
    package init(path: String, beginning: [UInt8], _ dialect: TableDialect = TableDialect()) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = beginning.starts(with: mark) ? beginning.dropFirst(3) : beginning[...]
        switch RowFormat(path: path) {
        case .csv, .tsv: self = .table(dialect.format(of: text))
        case .json, .ndjson: self = .objects
        default:
            let header = text.drop { $0 <= 0x20 }
            if !dialect.isTable, let first = header.first, "{[".utf8.contains(first) {
                self = .objects
            } else {
                self = .table(dialect.format(of: text))
            }
        }
    }

    /// The message about an input that should have commas according to its name; `nil` if it has
    /// them.
    package var surprise: String? {
        guard case .table(let format) = self, format.quote != nil else { return nil }
        switch format.delimiter {
        case UInt8(ascii: ";"): return "fields are separated by ;"
        case UInt8(ascii: "|"): return "fields are separated by |"
        case UInt8(ascii: "\t"): return "fields are separated by tabs"
        default: return nil
        }
    }

    /// Returns whether a file has the name of an input, compressed or not.
    package static func isNamed(_ path: String) -> Bool {
        switch RowFormat(path: Compression.nameOfContent(path)) {
        case .csv, .tsv, .json, .ndjson, .parquet, .arrow: true
        default: false
        }
    }
}
