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
        for row in 0..<rows.count {
            switch (left.isNull(row), right.isNull(row)) {
            case (true, true):
                rows[row] = [.equal, .lessOrEqual, .greaterOrEqual].contains(comparison)
            case (true, false), (false, true): rows[row] = comparison == .notEqual
            case (false, false): rows[row] = holds(row)
            }
        }
    }

    private func holds(_ row: Int) -> Bool {
        switch (left.kind, right.kind) {
        case (.int, .int), (.bool, .bool):
            return holds(Ordering(left.ints[row], right.ints[row]))
        case (.double, _) where left.doubles[row].isNaN,
            (_, .double) where right.doubles[row].isNaN:
            return comparison == .notEqual
        case (.double, .double):
            return holds(Value.order(left.doubles[row], right.doubles[row]))
        case (.int, .double): return holds(Value.order(left.ints[row], right.doubles[row]))
        case (.double, .int):
            return holds(Value.order(right.ints[row], left.doubles[row]).reversed)
        default: return holds(left.value(at: row).order(relativeTo: right.value(at: row)))
        }
    }

    private func holds(_ order: Ordering) -> Bool {
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
