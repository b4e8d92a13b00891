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
        let differs = comparison == .notEqual
        rows.withUnsafeMutableWords { words in
            for index in words.indices {
                let first = index < left.nulls.count ? left.nulls[index] : 0
                let second = index < right.nulls.count ? right.nulls[index] : 0
                words[index] &= ~(first | second)
                if equal { words[index] |= first & second }
                if differs { words[index] |= first ^ second }
            }
        }
        rows.clearTail()
        return rows
    }

    /// Compares the stored values as if there were no nulls.
    ///
    /// A null is stored as 0.
    private func markValues(_ rows: inout Bitmap) {
        switch (left.kind, right.kind) {
        case _ where left.kind.isStoredAsDoubles && right.kind.isStoredAsDoubles:
            markNumbers(left.doubles, right.doubles, &rows)
        case (.int, .double) where left.hasExactDoubles, (.int, .float) where left.hasExactDoubles:
            markNumbers(left.ints.map { Double($0) }, right.doubles, &rows)
        case (.double, .int) where right.hasExactDoubles,
            (.float, .int) where right.hasExactDoubles:
            markNumbers(left.doubles, right.ints.map { Double($0) }, &rows)
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
        case (.int, .int), (.bool, .bool): markNumbers(left.ints, right.ints, &rows)
        default:
            mark(&rows) { row in
                let (left, right) = (left.value(at: row), right.value(at: row))
                return left.isComparable(to: right) ? left.order(relativeTo: right) : nil
            }
        }
    }

    /// Marks the rows for which the comparison of two numbers holds.
    ///
    /// NaN is only ever unequal, as in the operators of Swift.
    private func markNumbers<Number: Comparable>(
        _ left: [Number], _ right: [Number], _ rows: inout Bitmap
    ) {
        precondition(left.count == rows.count && right.count == rows.count)
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                switch comparison {
                case .equal: rows.mark { left[$0] == right[$0] }
                case .notEqual: rows.mark { left[$0] != right[$0] }
                case .less: rows.mark { left[$0] < right[$0] }
                case .lessOrEqual: rows.mark { left[$0] <= right[$0] }
                case .greater: rows.mark { left[$0] > right[$0] }
                case .greaterOrEqual: rows.mark { left[$0] >= right[$0] }
                }
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
        rows.mark { row in
            switch order(row) {
            case .less: less
            case .equal: equal
            case .greater: greater
            case nil: unordered
            }
        }
    }
}

extension Bitmap {
    /// Sets the bits of the rows for which a condition holds, and clears the others.
    @inline(__always)
    fileprivate mutating func mark(_ holds: (Int) -> Bool) {
        let count = count
        withUnsafeMutableWords { words in
            for index in words.indices {
                var word: UInt64 = 0
                for row in index << 6..<min(count, (index + 1) << 6) where holds(row) {
                    word |= 1 << UInt64(row & 63)
                }
                words[index] = word
            }
        }
    }
}

extension ColumnVector {
    /// Whether all integers are exact as doubles.
    fileprivate var hasExactDoubles: Bool {
        var magnitudes: UInt64 = 0
        for number in ints { magnitudes |= number.magnitude }
        return magnitudes <= 1 << 53
    }
}
