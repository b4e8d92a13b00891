import FirnCodec

/// Rows of one row group, in the order of the query: what streams hand to each other.
struct RowRun {
    /// Which rows of the group.
    enum Selection {
        case all(count: Int)
        /// Ascending; the population is at hand because most consumers want it.
        case marked(Bitmap, population: Int)
        /// In any order.
        case listed([UInt32])
    }

    /// The number of the row group in the table.
    let group: Int
    let selection: Selection

    var count: Int {
        switch selection {
        case .all(let count): count
        case .marked(_, let population): population
        case .listed(let rows): rows.count
        }
    }

    /// The rows as a list.
    var rows: [UInt32] {
        switch selection {
        case .all(let count): return Array(0..<UInt32(truncatingIfNeeded: count))
        case .marked(let bitmap, let population):
            var rows: [UInt32] = []
            rows.reserveCapacity(population)
            bitmap.appendRows(to: &rows)
            return rows
        case .listed(let rows): return rows
        }
    }

    /// The rows as a set, for work that does not depend on the order.
    func bitmap(rowCount: Int) -> Bitmap {
        switch selection {
        case .all: return Bitmap(count: rowCount, isSet: true)
        case .marked(let bitmap, _): return bitmap
        case .listed(let rows):
            var bitmap = Bitmap(count: rowCount)
            for row in rows { bitmap[Int(row)] = true }
            return bitmap
        }
    }

    /// The rows of a part of the list, in the same order.
    func part(_ range: Range<Int>) -> RowRun {
        if range == 0..<count { return self }
        return RowRun(group: group, selection: .listed(Array(rows[range])))
    }
}

/// A row in a result that is not in the order of the table.
struct RowReference: Hashable, Comparable {
    let group: UInt32
    let row: UInt32

    /// The order of the table.
    static func < (left: RowReference, right: RowReference) -> Bool {
        left.group != right.group ? left.group < right.group : left.row < right.row
    }
}
