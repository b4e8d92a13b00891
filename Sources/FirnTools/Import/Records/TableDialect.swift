/// What the command line says about the form of a table; the rest is found in its beginning.
struct TableDialect: Hashable {
    var delimiter: UInt8?
    /// The character around fields; `nil` in the optional means that there is none.
    var quote: UInt8??
    var comment: UInt8?
    var skippedLineCount = 0
    var header: DelimitedFormat.Header?
    var numbers: NumberForm?
    var encoding: TextEncoding?

    /// Whether the input must be a table.
    var isTable: Bool {
        delimiter != nil || quote != nil || comment != nil || skippedLineCount > 0 || header != nil
            || numbers != nil
    }

    /// Returns the format of a table.
    ///
    /// - Parameters:
    ///   - text: the beginning of the table.
    ///   - named: the format according to the name of the file; `nil` if it is unknown.
    func format(of text: ArraySlice<UInt8>, named: DelimitedFormat?) -> DelimitedFormat {
        var format: DelimitedFormat
        if let delimiter {
            format = DelimitedFormat(delimiter: delimiter)
        } else if named == .tsv, quote == nil {
            format = .tsv
        } else {
            let search = DelimiterSearch(
                quote: quote ?? UInt8(ascii: "\""), comment: comment, decimal: numbers?.decimal)
            format = DelimitedFormat(delimiter: search.delimiter(of: rows(text)))
            // Nothing indicates that a text of unknown origin has quotes.
            if named == nil, format == .quotedTabs, quote == nil { format = .tsv }
        }
        return applied(to: format)
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
        format.skippedLineCount = skippedLineCount
        format.header = header ?? .firstRow
        format.numbers = numbers
        return format
    }

    /// Returns the text after the skipped lines.
    private func rows(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = text
        for _ in 0..<skippedLineCount {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return [] }
            rest = rest[(end + 1)...]
        }
        return rest
    }
}
