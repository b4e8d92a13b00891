import FirnValues

/// The form of a table as the command line gives it; the rest is found in its beginning.
package struct TableDialect: Hashable {
    package var delimiter: UInt8?
    /// The character around fields; an inner `nil` means that there is none.
    package var quote: UInt8??
    /// Whether a backslash begins an escape; there are no quotes then.
    package var hasEscapes = false
    package var comment: UInt8?
    /// The number of lines before the header; `nil` to find it.
    package var skippedLineCount: Int?
    package var header: DelimitedFormat.Header?
    package var numbers: NumberForm?
    /// Whether to find the form of numbers if it is not given.
    package var findsNumbers = true
    package var encoding: TextEncoding?

    package init() {}

    /// Whether the input must be a table.
    var isTable: Bool {
        delimiter != nil || quote != nil || hasEscapes || comment != nil
            || skippedLineCount ?? 0 > 0
            || header != nil || numbers != nil
    }

    /// Returns the format of a table, which depends on its content and not on its name.
    ///
    /// - Parameter text: the beginning of the table.
    func format(of text: ArraySlice<UInt8>) -> DelimitedFormat {
        let quote = hasEscapes ? nil : quote ?? UInt8(ascii: "\"")
        let titles = TitleSearch(text, quote: quote)
        let findsTitles = skippedLineCount == nil && header == nil && comment == nil
        let skipped = skippedLineCount ?? (findsTitles ? titles.lineCount(delimiter) : 0)
        let rows = rows(text, after: skipped)
        let named = findsTitles ? titles.namedDelimiter : nil
        let search = DelimiterSearch(quote: quote, comment: comment, decimal: numbers?.decimal)
        var format = applied(
            to: DelimitedFormat(delimiter: delimiter ?? named ?? search.delimiter(of: rows)))
        if hasPlainQuotes(rows, format) { format.quote = nil }
        format.skippedLineCount = skipped
        if numbers == nil, findsNumbers {
            format.numbers = NumberFormSearch.form(
                of: rows, delimiter: format.delimiter, quote: format.quote)
        }
        return format
    }

    /// Returns whether a table with tabs has quotes that are part of its texts, such as `5" pipe`.
    private func hasPlainQuotes(_ rows: ArraySlice<UInt8>, _ format: DelimitedFormat) -> Bool {
        guard quote == nil, format.delimiter == DelimitedFormat.tsv.delimiter else { return false }
        return SampleRecords(
            rows, delimiter: format.delimiter, quote: format.quote, comment: comment
        ).hasStrayQuotes
    }

    /// Returns a format with the settings of the command line.
    package func applied(to format: DelimitedFormat) -> DelimitedFormat {
        var format = format
        if let delimiter { format.delimiter = delimiter }
        if let quote { format.quote = quote }
        if hasEscapes {
            format.hasEscapes = true
            format.quote = nil
        }
        format.comment = comment
        format.skippedLineCount = skippedLineCount ?? 0
        format.header = header ?? .firstRow
        format.numbers = numbers
        return format
    }

    /// Returns a note about the part of a table that is not read, or `nil`.
    ///
    /// - Parameter text: the beginning of the table.
    package func omission(from text: ArraySlice<UInt8>, _ format: DelimitedFormat) -> String? {
        let count = format.skippedLineCount
        guard count > 0, skippedLineCount == nil else { return nil }
        let first = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return "left out \(Formatting.count(UInt64(count), "line")) before the header, "
            + (count == 1 ? "" : "the first ") + "\"\(SafeText.excerpt(of: first))\"; "
            + "--skip-lines 0 reads \(count == 1 ? "it" : "them")"
    }

    /// Returns notes about what was found beyond the command line, one line each.
    package func notes(on format: DelimitedFormat) -> [String] {
        var notes: [String] = []
        if let found = format.numbers, numbers == nil {
            notes.append(
                "read numbers in the form of --decimal \(found.sign); --exact keeps them as text")
        }
        if format.quote == nil, quote == nil, !hasEscapes {
            notes.append("read quotes as part of the texts; --quote '\"' reads them around fields")
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
