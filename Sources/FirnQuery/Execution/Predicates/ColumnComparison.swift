import FirnCodec
import FirnEngine
import FirnValues

/// Compares two columns row by row.
struct ColumnComparison {
    private let left: ColumnVector
    private let right: ColumnVector
    private let comparison: ComparisonOperator

    init(
        _ left: BoundColumn, _ comparison: ComparisonOperator, _ right: BoundColumn,
        _ scanner: TableScanner, _ group: Int
    ) throws(StoreError) {
        let rows = 0..<scanner.groups[group].rowCount
        var leftVector = ColumnVector(kind: left.type.base)
        var rightVector = ColumnVector(kind: right.type.base)
        try scanner.decode(left, of: group, rows: rows, into: &leftVector)
        try scanner.decode(right, of: group, rows: rows, into: &rightVector)
        self.left = leftVector
        self.right = rightVector
        self.comparison = comparison
    }

    /// Null equals null; an order with one null never holds, `<=` and `>=` hold between two.
    func mark(_ rows: inout Bitmap) {
        markValues(&rows)
        guard !left.nulls.isEmpty || !right.nulls.isEmpty else { return }
        let equal = accepts(.equal)
        for row in 0..<rows.count {
            switch (left.isNull(row), right.isNull(row)) {
            case (true, true): rows[row] = equal
            case (true, false), (false, true): rows[row] = comparison == .notEqual
            case (false, false): break
            }
        }
    }

    /// Compares as if there were no null: what is stored for one is a zero.
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

    /// - Parameter order: how the values of a row lie to each other; `nil` if one is NaN, or of
    ///   another kind.
    @inline(__always)
    private func mark(_ rows: inout Bitmap, _ order: (Int) -> Ordering?) {
        let (less, equal, greater) = (accepts(.less), accepts(.equal), accepts(.greater))
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

    private func accepts(_ order: Ordering) -> Bool {
        switch comparison {
        case .equal: order == .equal
        case .notEqual: order != .equal
        case .less: order == .less
        case .lessOrEqual: order != .greater
        case .greater: order == .greater
        case .greaterOrEqual: order != .less
        }
    }
}
