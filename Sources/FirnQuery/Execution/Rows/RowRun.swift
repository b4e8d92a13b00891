import FirnCodec

/// Rows of one row group, ascending.
struct RowRun {
    /// The selected rows of the group.
    enum Selection {
        case all(count: Int)
        /// A set of rows with its population, which most consumers need.
        case marked(Bitmap, population: Int)
        case listed([UInt32])
    }

    /// The index of the row group in the table.
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

    /// Returns the rows as a set.
    func bitmap(rowCount: Int) -> Bitmap {
        switch selection {
        case .all: return Bitmap(count: rowCount, isSet: true)
        case .marked(let bitmap, _): return bitmap
        case .listed(let rows): return Bitmap(rows, count: rowCount)
        }
    }

    /// Returns the rows at a range of list positions.
    func part(_ range: Range<Int>) -> RowRun {
        if range == 0..<count { return self }
        if case .all = selection {
            let bounds =
                UInt32(
                    truncatingIfNeeded: range.lowerBound)..<UInt32(
                    truncatingIfNeeded: range.upperBound)
            return RowRun(group: group, selection: .listed(Array(bounds)))
        }
        return RowRun(group: group, selection: .listed(Array(rows[range])))
    }
}

extension Bitmap {
    /// Creates the set of the given rows.
    init(_ rows: [UInt32], count: Int) {
        self.init(count: count)
        for row in rows { self[Int(row)] = true }
    }
}
