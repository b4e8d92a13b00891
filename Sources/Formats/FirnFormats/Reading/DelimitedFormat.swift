import FirnValues

/// The format of the lines and fields of a table.
package struct DelimitedFormat: Hashable, Sendable {
    /// The source of the column names.
    package enum Header: Hashable, Sendable {
        case firstRow
        /// The columns are called `column1`, `column2` and so on.
        case none
        case names([String])
    }

    /// The separator between two fields.
    var delimiter: UInt8
    /// The character around a field that contains a delimiter, a quote or a line end; `nil` if
    /// fields cannot be quoted.
    package var quote: UInt8? = UInt8(ascii: "\"")
    /// Whether a backslash begins an escape: `\t`, `\n`, `\r`, `\b`, `\f` and `\v` are control
    /// characters, any other character is itself, and a field `\N` is null, as PostgreSQL and MySQL
    /// write them.
    package var hasEscapes = false
    /// The first character of lines that are not rows.
    package var comment: UInt8?
    /// The number of lines before the header.
    package var skippedLineCount = 0
    package var header = Header.firstRow
    /// The form of numbers; `nil` for numbers with a point and without groups.
    var numbers: NumberForm?

    init(delimiter: UInt8) { self.delimiter = delimiter }

    /// RFC 4180: commas, and quotes around a field that contains a comma, a quote or a line end.
    package static let csv = DelimitedFormat(delimiter: UInt8(ascii: ","))
    /// The same with tabs.
    package static let tsv = DelimitedFormat(delimiter: UInt8(ascii: "\t"))
}

/// The form of a table whose header was read.
package struct TableForm: Sendable {
    let format: DelimitedFormat
    let columnNames: [String]
}

/// The limits of a reader, which prevent hostile input from exhausting the memory.
package struct ReadingLimits: Sendable {
    package var fieldBytesMax = 16 << 20
    package var rowBytesMax = 64 << 20
    package var columnsMax = 10_000
    /// The number of bytes requested from the source at once.
    package var chunkBytes = 1 << 20

    package init() {}
}

/// One field of the current row.
struct FieldSlice {
    /// The start of the text, counted from the start of the row.
    var start: Int
    var length: Int
    /// Whether the field is quoted: an empty quoted field is a string, not null.
    var isQuoted: Bool
}
