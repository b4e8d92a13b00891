import FirnCodec
import FirnValues

/// Compares two vectors row by row.
///
/// Null equals null. An order comparison with one null never holds; `<=` and `>=` hold between two
/// nulls. NaN, and values of kinds that cannot be ordered with each other, are only ever unequal.
struct VectorComparison {
    private let left: ColumnVector
    private let right: ColumnVector
    private let comparison: ComparisonOperator

    init(_ left: ColumnVector, _ comparison: ComparisonOperator, _ right: ColumnVector) {
        self.left = left
        self.right = right
        self.comparison = comparison
    }

    /// Returns the rows for which the comparison holds.
    func rows() -> Bitmap {
        var rows = Bitmap(count: left.count)
        markValues(&rows)
        guard !left.nulls.isEmpty || !right.nulls.isEmpty else { return rows }
        let equal = comparison.accepts(.equal)
        for row in 0..<rows.count {
            switch (left.isNull(row), right.isNull(row)) {
            case (true, true): rows[row] = equal
            case (true, false), (false, true): rows[row] = comparison == .notEqual
            case (false, false): break
            }
        }
        return rows
    }

    /// Compares the stored values as if there were no nulls.
    ///
    /// A null is stored as 0.
    private func markValues(_ rows: inout Bitmap) {
        switch (left.kind, right.kind) {
        case _ where left.kind.isStoredAsDoubles && right.kind.isStoredAsDoubles:
            mark(&rows) { row in
                let (left, right) = (left.doubles[row], right.doubles[row])
                return left.isNaN || right.isNaN ? nil : Value.order(left, right)
            }
        case (.int, .double), (.int, .float):
            mark(&rows) { row in
                right.doubles[row].isNaN ? nil : Value.order(left.ints[row], right.doubles[row])
            }
        case (.double, .int), (.float, .int):
            mark(&rows) { row in
                left.doubles[row].isNaN
                    ? nil : Value.order(right.ints[row], left.doubles[row]).reversed
            }
        case _ where left.kind == right.kind && left.kind.isOrderedByBytes:
            mark(&rows) { row in ColumnVector.byteOrder(left, row, right, row) }
        case (.date, .date):
            mark(&rows) { row in
                let seconds = Ordering(left.ints[row], right.ints[row])
                return seconds == .equal
                    ? Ordering(left.nanoseconds[row], right.nanoseconds[row]) : seconds
            }
        case (.int, .int), (.bool, .bool):
            mark(&rows) { row in Ordering(left.ints[row], right.ints[row]) }
        default:
            mark(&rows) { row in
                let (left, right) = (left.value(at: row), right.value(at: row))
                return left.isComparable(to: right) ? left.order(relativeTo: right) : nil
            }
        }
    }

    /// Marks the rows for which the comparison holds.
    ///
    /// - Parameter order: the ordering of the two values of a row; `nil` if they cannot be ordered.
    @inline(__always)
    private func mark(_ rows: inout Bitmap, _ order: (Int) -> Ordering?) {
        let less = comparison.accepts(.less)
        let equal = comparison.accepts(.equal)
        let greater = comparison.accepts(.greater)
        let unordered = comparison == .notEqual
        let count = rows.count
        rows.withUnsafeMutableWords { words in
            for index in words.indices {
                var word: UInt64 = 0
                for row in index << 6..<min(count, (index + 1) << 6) {
                    let holds =
                        switch order(row) {
                        case .less: less
                        case .equal: equal
                        case .greater: greater
                        case nil: unordered
                        }
                    if holds { word |= 1 << UInt64(row & 63) }
                }
                words[index] = word
            }
        }
    }
}
