/// The format of lines and fields.
package enum DelimitedFormat: String, Sendable {
    /// RFC 4180: commas, and quotes around a field that contains a comma, a quote or a line end.
    case csv
    /// The same with semicolons, as spreadsheets write it in locales with decimal commas.
    case semicolons
    /// The same with tabs.
    case quotedTabs
    /// Tabs without quotes; `\t`, `\n`, `\r` and `\\` escape the characters that a field cannot
    /// contain.
    case tsv

    /// The separator between two fields.
    var delimiter: UInt8 {
        switch self {
        case .csv: UInt8(ascii: ",")
        case .semicolons: UInt8(ascii: ";")
        case .tsv, .quotedTabs: UInt8(ascii: "\t")
        }
    }

    /// Whether fields can be quoted.
    var hasQuotes: Bool { self != .tsv }

    /// Determines the delimiter of a text with quotes: the one in its header, if the header has no
    /// comma.
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
