import FirnValues

extension ColumnPage {
    /// Visits the distinct texts of a page that stores each of them once.
    ///
    /// They are in a dictionary, or the constant of all rows. Texts of deleted rows are included.
    ///
    /// - Parameters:
    ///   - prefix: the prefix of the visited texts, in UTF-8.
    ///   - visit: returns whether to continue.
    /// - Returns: `false` if the page stores its texts row by row, or has none.
    /// - Complexity: O(log of the texts + the number of texts with the prefix)
    package func forEachListedText(
        startingWith prefix: [UInt8], _ visit: (String) -> Bool
    ) -> Bool {
        guard kind == .string else { return false }
        switch content {
        case .constant(.string(let text)):
            if text.utf8.starts(with: prefix) { _ = visit(text) }
            return true
        case .constant: return true
        case .dictionary(_, let entries):
            // Entries ascend, so those with the prefix are adjacent.
            var low = 0
            var high = entries.count
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].lexicographicallyPrecedes(prefix) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            while low < entries.count, entries[low].starts(with: prefix) {
                guard visit(String(decoding: entries[low], as: UTF8.self)) else { break }
                low += 1
            }
            return true
        default: return false
        }
    }
}
