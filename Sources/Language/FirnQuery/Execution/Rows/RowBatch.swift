import FirnCodec
import FirnValues

/// A batch of rows in the order of the query, as streams exchange it.
///
/// Never empty.
enum RowBatch {
    /// Rows of one group in table order, suited to work on whole pages.
    case run(RowRun)
    /// Rows of any groups in any order, as produced by a sort.
    case scattered(ArraySlice<RowReference>)

    var count: Int {
        switch self {
        case .run(let run): run.count
        case .scattered(let references): references.count
        }
    }

    /// Returns the rows at a range of positions.
    func part(_ range: Range<Int>) -> RowBatch {
        switch self {
        case .run(let run): return .run(run.part(range))
        case .scattered(let references):
            let start = references.startIndex
            return .scattered(references[start + range.lowerBound..<start + range.upperBound])
        }
    }
}

/// Rows of one row group, ascending.
struct RowRun {
    /// The selected rows of the group.
    enum Selection {
        case all(count: Int)
        /// A set of rows with its size, which most consumers need.
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

    /// Returns the rows, a few at a time.
    func slices(of rowCountMax: Int) -> some Sequence<BatchRows> {
        let rows = rows
        return stride(from: 0, to: rows.count, by: rowCountMax).lazy.map { start in
            .group(group, Array(rows[start..<min(rows.count, start + rowCountMax)]))
        }
    }

    /// The rows as a list.
    var rows: [UInt32] {
        switch selection {
        case .all(let count): return [UInt32](rows: 0..<count)
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
            return RowRun(group: group, selection: .listed([UInt32](rows: range)))
        }
        return RowRun(group: group, selection: .listed(Array(rows[range])))
    }
}

extension [UInt32] {
    /// Creates a list of consecutive rows.
    init(rows range: Range<Int>) {
        guard !range.isEmpty else {
            self = []
            return
        }
        self.init(unsafeUninitializedCapacity: range.count) { rows, count in
            let first = UInt32(truncatingIfNeeded: range.lowerBound)
            for index in 0..<range.count {
                rows[index] = first &+ UInt32(truncatingIfNeeded: index)
            }
            count = range.count
        }
    }
}

extension Bitmap {
    /// Creates the set of the given rows.
    init(_ rows: [UInt32], count: Int) {
        self.init(count: count)
        for row in rows { self[Int(row)] = true }
    }
}

/// The location of a row: its row group, and its position in the group.
struct RowReference: Hashable, Comparable {
    let group: UInt32
    let row: UInt32

    init(group: UInt32, row: UInt32) {
        self.group = group
        self.row = row
    }

    /// Creates the reference of a number.
    init(packed: UInt64) {
        group = UInt32(truncatingIfNeeded: packed >> 32)
        row = UInt32(truncatingIfNeeded: packed)
    }

    /// The reference as a number, for a file.
    var packed: UInt64 { UInt64(group) << 32 | UInt64(row) }

    /// Compares locations in table order.
    static func < (left: RowReference, right: RowReference) -> Bool {
        left.group != right.group ? left.group < right.group : left.row < right.row
    }
}
