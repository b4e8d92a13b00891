/// The two formats of lines and fields.
package enum DelimitedFormat: String, Sendable {
    /// RFC 4180: commas, quotes around a field that holds a comma, a quote or a line end.
    case csv
    /// Tabs, nothing quoted; `\t`, `\n`, `\r` and `\\` stand for what a field cannot hold.
    case tsv

    /// Between two fields.
    var delimiter: UInt8 {
        switch self {
        case .csv: UInt8(ascii: ",")
        case .tsv: UInt8(ascii: "\t")
        }
    }
}

/// How much a reader accepts before it gives up, so that hostile input cannot take all memory.
package struct ReadingLimits: Sendable {
    package var fieldBytesMax = 16 << 20
    package var rowBytesMax = 64 << 20
    package var columnsMax = 10_000
    /// How much is asked of the source at once.
    package var chunkBytes = 1 << 20

    package init() {}
}

/// One field of the current row.
struct FieldSlice {
    /// Where the text begins, counted from the beginning of the row.
    var start: Int
    var length: Int
    /// Whether the field stood in quotes: an empty one is then text and not null.
    var isQuoted: Bool
}
