/// The formats of lines and fields.
package enum DelimitedFormat: String, Sendable {
    /// RFC 4180: commas, quotes around a field that holds a comma, a quote or a line end.
    case csv
    /// The same with semicolons, as spreadsheets write it where the comma is in numbers.
    case semicolons
    /// The same with tabs.
    case quotedTabs
    /// Tabs, nothing quoted; `\t`, `\n`, `\r` and `\\` stand for what a field cannot hold.
    case tsv

    /// Between two fields.
    var delimiter: UInt8 {
        switch self {
        case .csv: UInt8(ascii: ",")
        case .semicolons: UInt8(ascii: ";")
        case .tsv, .quotedTabs: UInt8(ascii: "\t")
        }
    }

    /// Whether quotes stand around fields.
    var hasQuotes: Bool { self != .tsv }

    /// Finds out what separates the fields of a text with quotes: what its header has, if that has
    /// no comma.
    init(header beginning: some Sequence<UInt8>) {
        var isQuoted = false
        var seen: Set<UInt8> = []
        for byte in beginning {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == UInt8(ascii: "\n") { break }
            seen.insert(byte)
        }
        let formats: [DelimitedFormat] = [.csv, .quotedTabs, .semicolons]
        self = formats.first { seen.contains($0.delimiter) } ?? .csv
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
