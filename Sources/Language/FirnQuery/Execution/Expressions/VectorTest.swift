import FirnCodec
import FirnSyntax
import FirnValues

/// Tests the values of a vector against constants.
///
/// ``value(_:passes:)`` defines the result. Frequent cases have dedicated loops.
struct VectorTest {
    private let test: ColumnTest
    private let matcher: TextMatcher?

    init(_ test: ColumnTest) {
        self.test = test
        if case .text(let pattern) = test { matcher = TextMatcher(pattern) } else { matcher = nil }
    }

    /// Returns the rows that pass.
    func rows(_ vector: ColumnVector) -> Bitmap {
        var rows = Bitmap(count: vector.count)
        switch (test, vector.kind) {
        case (.isNull, _), (.isNotNull, _):
            for row in 0..<vector.count { rows[row] = vector.isNull(row) }
            if test == .isNotNull { rows.invert() }
            return rows
        case (.compare(let comparison, .int(let constant)), .int):
            mark(&rows) { comparison.accepts(Ordering(vector.ints[$0], constant)) }
        case (.between(.int(let low), .int(let high)), .int):
            mark(&rows) { vector.ints[$0] >= low && vector.ints[$0] <= high }
        case (.compare(let comparison, let constant), .double),
            (.compare(let comparison, let constant), .float):
            return compareDoubles(vector, comparison, constant)
        case (.text, .string):
            guard let matcher else { break }
            mark(&rows) { row in vector.withBytes(of: row) { matcher.matches($0) } }
        default:
            for row in 0..<vector.count {
                let value = vector.value(at: row)
                rows[row] = matcher?.matches(value) ?? FirnCodec.value(value, passes: test)
            }
            return rows
        }
        setNulls(vector, &rows)
        return rows
    }

    private func compareDoubles(
        _ vector: ColumnVector, _ comparison: ComparisonOperator, _ constant: Value
    ) -> Bitmap {
        var rows = Bitmap(count: vector.count)
        switch constant {
        case .double(let number) where !number.isNaN:
            mark(&rows) { row in
                let value = vector.doubles[row]
                return value.isNaN
                    ? comparison == .notEqual : comparison.accepts(Value.order(value, number))
            }
        case .int(let number):
            mark(&rows) { row in
                let value = vector.doubles[row]
                return value.isNaN
                    ? comparison == .notEqual
                    : comparison.accepts(Value.order(number, value).reversed)
            }
        default:
            for row in 0..<vector.count {
                rows[row] = FirnCodec.value(vector.value(at: row), passes: test)
            }
        }
        setNulls(vector, &rows)
        return rows
    }

    private func setNulls(_ vector: ColumnVector, _ rows: inout Bitmap) {
        guard !vector.nulls.isEmpty else { return }
        let passes = FirnCodec.value(.null, passes: test)
        for row in 0..<vector.count where vector.isNull(row) { rows[row] = passes }
    }

    @inline(__always)
    private func mark(_ rows: inout Bitmap, _ holds: (Int) -> Bool) {
        let count = rows.count
        rows.withUnsafeMutableWords { words in
            for row in 0..<count where holds(row) { words[row >> 6] |= 1 << UInt64(row & 63) }
        }
    }
}

/// Tests the values of a vector against several constants.
struct VectorListTest {
    private enum Part {
        case test(VectorTest)
        case list(VectorListTest)
    }

    private let isAll: Bool
    private let parts: [Part]

    /// - Parameter type: the type of the values.
    init(_ test: ListTest, on type: PropertyType) {
        isAll = test.quantifier == .all
        parts = test.tests.map { part in
            switch part {
            case .test(let test): .test(VectorTest(test.onColumn(of: type)))
            case .list(let test): .list(VectorListTest(test, on: type))
            }
        }
    }

    /// Returns the rows that pass.
    func rows(_ vector: ColumnVector) -> Bitmap {
        var passing = Bitmap(count: vector.count, isSet: isAll)
        for part in parts {
            let rows =
                switch part {
                case .test(let test): test.rows(vector)
                case .list(let test): test.rows(vector)
                }
            if isAll { passing.formIntersection(rows) } else { passing.formUnion(rows) }
        }
        return passing
    }
}
