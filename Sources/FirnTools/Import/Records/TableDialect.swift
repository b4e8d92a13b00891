/// What the command line says about the form of a table; the rest is found in its beginning.
struct TableDialect: Hashable {
    var delimiter: UInt8?
    /// The character around fields; `nil` in the optional means that there is none.
    var quote: UInt8??
    var comment: UInt8?
    /// The number of lines before the header; `nil` to find it.
    var skippedLineCount: Int?
    var header: DelimitedFormat.Header?
    var numbers: NumberForm?
    /// Whether the form of numbers is found if it is not given.
    var findsNumbers = true
    var encoding: TextEncoding?

    /// Whether the input must be a table.
    var isTable: Bool {
        delimiter != nil || quote != nil || comment != nil || skippedLineCount ?? 0 > 0
            || header != nil || numbers != nil
    }

    /// Returns the format of a table.
    ///
    /// - Parameters:
    ///   - text: the beginning of the table.
    ///   - named: the format according to the name of the file; `nil` if it is unknown.
    func format(of text: ArraySlice<UInt8>, named: DelimitedFormat?) -> DelimitedFormat {
        let quote = quote ?? UInt8(ascii: "\"")
        let titles = TitleSearch(text, quote: quote)
        let findsTitles = skippedLineCount == nil && header == nil && comment == nil
        let skipped = skippedLineCount ?? (findsTitles ? titles.lineCount(delimiter) : 0)
        let rows = rows(text, after: skipped)
        var format: DelimitedFormat
        if let delimiter = delimiter ?? (findsTitles ? titles.namedDelimiter : nil) {
            format = DelimitedFormat(delimiter: delimiter)
        } else if named == .tsv, self.quote == nil {
            format = .tsv
        } else {
            let search = DelimiterSearch(
                quote: quote, comment: comment, decimal: numbers?.decimal)
            format = DelimitedFormat(delimiter: search.delimiter(of: rows))
            // Nothing indicates that a text of unknown origin has quotes.
            if named == nil, format == .quotedTabs, self.quote == nil { format = .tsv }
        }
        format = applied(to: format)
        format.skippedLineCount = skipped
        if numbers == nil, findsNumbers {
            format.numbers = NumberFormSearch.form(
                of: rows, delimiter: format.delimiter, quote: format.quote)
        }
        return format
    }

    /// Returns a format with what the command line says.
    func applied(to format: DelimitedFormat) -> DelimitedFormat {
        var format = format
        if let delimiter { format.delimiter = delimiter }
        if let quote {
            format.quote = quote
            format.hasEscapes = false
        }
        format.comment = comment
        format.skippedLineCount = skippedLineCount ?? 0
        format.header = header ?? .firstRow
        format.numbers = numbers
        return format
    }

    /// Returns what was found beyond the command line, one line each.
    func notes(on format: DelimitedFormat) -> [String] {
        var notes: [String] = []
        let skipped = format.skippedLineCount
        if skipped > 0, skippedLineCount == nil {
            notes.append(
                "skipped \(Formatting.count(UInt64(skipped), "line")) before the header; "
                    + "--skip 0 reads \(skipped == 1 ? "it" : "them")")
        }
        if let found = format.numbers, numbers == nil {
            notes.append(
                "read numbers in the form of --decimal \(found.sign); --exact keeps them as text")
        }
        return notes
    }

    /// Returns the text after the skipped lines.
    private func rows(_ text: ArraySlice<UInt8>, after count: Int) -> ArraySlice<UInt8> {
        var rest = text
        for _ in 0..<count {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return [] }
            rest = rest[(end + 1)...]
        }
        return rest
    }
}
