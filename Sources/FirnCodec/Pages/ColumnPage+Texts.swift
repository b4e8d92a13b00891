import FirnValues

extension ColumnPage {
    /// Visits the different texts of a page that keeps each of them once, in a dictionary or as the
    /// one value that all rows have; deleted rows are none the less in it.
    ///
    /// - Parameters:
    ///   - prefix: what the texts begin with, in UTF-8.
    ///   - visit: returns whether to go on.
    /// - Returns: `false` if the page keeps its texts row by row, or none.
    /// - Complexity: O(log of the texts + the texts that begin so)
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
            // Entries ascend: those that begin with the prefix stand side by side.
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
