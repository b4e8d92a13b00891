import FirnValues

/// A set of rows of a row group, by their indices.
///
/// It has one bit per row up to the last: copying all of them costs less than copying a path of a
/// tree.
struct RowSet: Sendable {
    private var words: [UInt64] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func contains(_ row: UInt32) -> Bool {
        let word = Int(row / 64)
        return word < words.count && words[word] & (1 << UInt64(row % 64)) != 0
    }

    mutating func insert(_ row: UInt32) {
        guard !contains(row) else { return }
        let word = Int(row / 64)
        while words.count <= word { words.append(0) }
        words[word] |= 1 << UInt64(row % 64)
        count += 1
    }

    /// Inserts several rows.
    ///
    /// - Parameter rows: The rows, ascending.
    mutating func insert(contentsOf rows: [UInt32]) {
        guard let last = rows.last else { return }
        let missing = Int(last / 64) + 1 - words.count
        if missing > 0 { words.append(contentsOf: repeatElement(0, count: missing)) }
        for row in rows { words[Int(row / 64)] |= 1 << UInt64(row % 64) }
        count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// All rows, ascending.
    var rows: [UInt32] {
        var rows: [UInt32] = []
        rows.reserveCapacity(count)
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                rows.append(UInt32(index * 64 + rest.trailingZeroBitCount))
                rest &= rest &- 1
            }
        }
        return rows
    }
}
