import FirnValues

/// The embedded objects that were found in their owners.
struct OwnedObjects {
    private var words: [UInt64] = []

    /// Marks an object; returns whether it had no owner so far.
    mutating func insert(_ row: RowID) -> Bool {
        let (word, bit) = (Int(row.rawValue >> 6), UInt64(1) << (row.rawValue & 63))
        while words.count <= word { words.append(0) }
        defer { words[word] |= bit }
        return words[word] & bit == 0
    }

    /// Returns the objects below a number that have no owner.
    func missing(below count: UInt64) -> [RowID] {
        var rows: [RowID] = []
        for row in 0..<count {
            let word = Int(row >> 6)
            if word >= words.count || words[word] >> (row & 63) & 1 == 0 { rows.append(RowID(row)) }
        }
        return rows
    }
}
