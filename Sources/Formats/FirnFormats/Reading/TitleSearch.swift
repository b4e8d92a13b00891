import FirnValues

/// Finds the lines before the header of a table, such as the title of a report.
///
/// Nothing is skipped on suspicion. A record that is as wide as the table is one of its rows; a text
/// that is a table without titles has none; the records before the header have one field each, or an
/// empty line ends them; and a column of the table has a name above values of a type.
struct TitleSearch {
    private static let titleCountMax = 20
    /// The number of titles without an empty line after them, in a text that could also be a table of
    /// one column.
    private static let doubtfulTitleCountMax = 3
    static let delimiters = [",", "\t", ";", "|"].map { (text: Unicode.Scalar) in
        UInt8(ascii: text)
    }

    private let text: ArraySlice<UInt8>
    private let quote: UInt8?

    /// - Parameter text: the beginning of the input.
    init(_ text: ArraySlice<UInt8>, quote: UInt8?) {
        self.text = text
        self.quote = quote
    }

    /// The line `sep=;` of a spreadsheet, which names the delimiter.
    var namedDelimiter: UInt8? {
        let line = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard line.count == 5, line.starts(with: "sep=".utf8) else { return nil }
        return line.last
    }

    /// Returns the number of lines before the header.
    ///
    /// - Parameter delimiter: the delimiter, if it is known.
    func lineCount(_ delimiter: UInt8?) -> Int {
        if namedDelimiter != nil { return 1 }
        let candidates = delimiter.map { [$0] } ?? TitleSearch.delimiters
        let samples = candidates.map { SampleRecords(text, delimiter: $0, quote: quote) }
        let widths = samples.map(\.width)
        if widths.contains(where: { $0 ?? 0 > 1 }) { return 0 }
        // Without titles, it is a table of one column.
        let isDoubtful = widths.first == .some(1)
        var best: (width: Int, lineCount: Int)?
        for sample in samples {
            guard let (width, lineCount) = start(sample, isDoubtful: isDoubtful) else { continue }
            if width > best?.width ?? 1 { best = (width, lineCount) }
        }
        return best?.lineCount ?? 0
    }

    /// Returns the number of fields of the table, and the number of lines before its header.
    private func start(
        _ sample: SampleRecords, isDoubtful: Bool
    ) -> (width: Int, lineCount: Int)? {
        let records = sample.records
        guard let width = sample.filled.last?.fields.count, width > 1,
            let last = records.lastIndex(where: { !$0.isBlank && $0.fields.count != width })
        else { return nil }
        let titles = records[...last]
        guard let start = records[(last + 1)...].firstIndex(where: { !$0.isBlank }) else {
            return nil
        }
        let table = records[start...].filter { !$0.isBlank }
        let isTitle =
            start <= TitleSearch.titleCountMax && table.count >= 2
            && titles.allSatisfy { $0.isBlank || $0.fields.count != width }
            && isSeparated(titles, table, isBlankBetween: start > last + 1, isDoubtful)
        guard isTitle, hasTypedColumn(table) else { return nil }
        return (width, records[..<start].reduce(0) { $0 + $1.lineCount })
    }

    /// Returns whether the records before a table do not form a table of their own.
    private func isSeparated(
        _ titles: ArraySlice<SampleRecords.Record>, _ table: [SampleRecords.Record],
        isBlankBetween: Bool, _ isDoubtful: Bool
    ) -> Bool {
        if isBlankBetween { return true }
        guard titles.allSatisfy({ $0.fields.count == 1 }) else { return false }
        let texts = titles.filter { !$0.isBlank }
        guard isDoubtful else { return true }
        return texts.count <= min(TitleSearch.doubtfulTitleCountMax, table.count - 1)
            && texts.allSatisfy { !TitleSearch.isTyped($0[0]) }
    }

    /// Returns whether a column has a name above values that all are numbers, dates or null.
    private func hasTypedColumn(_ table: [SampleRecords.Record]) -> Bool {
        guard let names = table.first?.fields, names.allSatisfy({ !TitleSearch.isTyped($0) })
        else { return false }
        return (0..<names.count).contains { column in
            let values = table.dropFirst().map { $0[column] }
                .filter { !$0.allSatisfy { $0 <= 0x20 } }
            return !values.isEmpty && values.allSatisfy { TitleSearch.isTyped($0) }
        }
    }

    private static func isTyped(_ text: ArraySlice<UInt8>) -> Bool {
        Array(text).withUnsafeBufferPointer { text in
            var plain: [UInt8] = []
            return FieldText.double(text) != nil || FieldText.time(text) != nil
                || [",", "."].contains { (sign: Unicode.Scalar) in
                    NumberForm(decimal: UInt8(ascii: sign)).read(text, into: &plain) == .converted
                }
        }
    }
}
