/// Finds the delimiter of a table from the beginning of its text.
struct DelimiterSearch {
    private static let lineCountMax = 50
    /// In the order of preference.
    private let candidates: [UInt8]

    private let quote: UInt8?
    private let comment: UInt8?

    /// - Parameter decimal: the sign before fractions, which does not separate fields.
    init(quote: UInt8?, comment: UInt8?, decimal: UInt8?) {
        self.quote = quote
        self.comment = comment
        candidates = [",", "\t", ";", "|"].map { (text: Unicode.Scalar) in UInt8(ascii: text) }
            .filter { $0 != decimal }
    }

    /// Returns the delimiter that all lines have equally often, and of several the most frequent
    /// one; otherwise a delimiter of the first line, or the first candidate.
    ///
    /// - Parameter text: the beginning of the table, with its header. The last line is ignored
    ///   unless it is the only one, because it can be incomplete.
    func delimiter(of text: some Sequence<UInt8>) -> UInt8 {
        let lines = counts(text)
        guard let header = lines.first else { return candidates[0] }
        var best: (delimiter: UInt8, count: Int)?
        for (index, delimiter) in candidates.enumerated() where header[index] > 0 {
            let isEqual = lines.allSatisfy { $0[index] == header[index] }
            if isEqual, header[index] > best?.count ?? 0 { best = (delimiter, header[index]) }
        }
        if let best { return best.delimiter }
        let index = candidates.indices.first { header[$0] > 0 } ?? 0
        return candidates[index]
    }

    /// Returns how often each candidate occurs outside quotes, per line that is not empty.
    private func counts(_ text: some Sequence<UInt8>) -> [[Int]] {
        var lines: [[Int]] = []
        var counts = candidates.map { _ in 0 }
        var (isQuoted, isEmpty, isComment) = (false, true, false)
        func end() {
            if !isEmpty, !isComment { lines.append(counts) }
            counts = candidates.map { _ in 0 }
            (isEmpty, isComment) = (true, false)
        }
        for byte in text {
            if byte == UInt8(ascii: "\n"), !isQuoted {
                end()
                if lines.count == Self.lineCountMax { return lines }
                continue
            }
            if byte == UInt8(ascii: "\r") { continue }
            if isEmpty, byte == comment { isComment = true }
            isEmpty = false
            if byte == quote, !isComment { isQuoted.toggle() }
            guard !isQuoted, let index = candidates.firstIndex(of: byte) else { continue }
            counts[index] += 1
        }
        if lines.isEmpty { end() }
        return lines
    }
}
