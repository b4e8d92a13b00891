import FirnValues

/// Finds the delimiter of a table from the beginning of its text.
struct DelimiterSearch {
    /// The candidates, in order of preference.
    private let candidates: [UInt8]
    private let quote: UInt8?
    private let comment: UInt8?

    /// - Parameter decimal: the sign before fractions, which does not separate fields.
    init(quote: UInt8?, comment: UInt8?, decimal: UInt8?) {
        self.quote = quote
        self.comment = comment
        candidates = TitleSearch.delimiters.filter { $0 != decimal }
    }

    /// Returns the delimiter that occurs equally often in all records, or the most frequent one of
    /// several such delimiters; otherwise a delimiter of the first record, or the first candidate.
    ///
    /// - Parameter text: the beginning of the table, with its header.
    func delimiter(of text: ArraySlice<UInt8>) -> UInt8 {
        let samples = candidates.map { candidate in
            (
                delimiter: candidate,
                records: SampleRecords(text, delimiter: candidate, quote: quote, comment: comment)
            )
        }
        var best: (delimiter: UInt8, width: Int)?
        for (delimiter, records) in samples {
            guard let width = records.width, width > best?.width ?? 1 else { continue }
            best = (delimiter, width)
        }
        if let best { return best.delimiter }
        let inHeader = samples.first { $0.records.filled.first?.fields.count ?? 1 > 1 }
        return inHeader?.delimiter ?? candidates[0]
    }
}
