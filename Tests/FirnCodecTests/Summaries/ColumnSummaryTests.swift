import FirnCodec
import FirnTesting
import FirnValues
import Testing

@Suite("Summaries")
struct ColumnSummaryTests {
    private func selections(_ rows: Int) -> [Bitmap] {
        var random = SplitMix64(seed: UInt64(rows))
        var some = Bitmap(count: rows)
        for row in 0..<rows { some[row] = random.next() % 3 == 0 }
        return [Bitmap(count: rows, isSet: true), Bitmap(count: rows), some]
    }

    @Test("Count, sum, minimum and maximum match the values", arguments: [0, 1, 64, 200])
    func summaries(rows: Int) throws {
        for column in SampleColumn.all(rows: rows, seed: 50) {
            let page = try column.page()
            for selection in selections(rows) {
                let values = (0..<rows).filter { selection[$0] }.map { column.values[$0] }
                    .filter { !$0.isNull }
                let summary = page.summarize(selection)
                #expect(summary.count == values.count, "\(column)")
                let (integers, doubles) = column.kind == .any ? (0, 0) : sums(values)
                #expect(summary.integerSum == integers, "\(column)")
                let hasSum = [.int, .float, .double].contains(column.kind) || values.isEmpty
                #expect(summary.hasSum == hasSum, "\(column)")
                if [.float, .double].contains(column.kind) {
                    #expect(isSame(summary.doubleSum, doubles), "\(column)")
                }
                let ordered = values.filter { !$0.isNotANumber }
                let least = ordered.min { $0.order(relativeTo: $1) == .less }
                let greatest = ordered.max { $0.order(relativeTo: $1) == .less }
                #expect(isSame(summary.minimum, least), "\(column)")
                #expect(isSame(summary.maximum, greatest), "\(column)")
            }
        }
    }

    private func sums(_ values: [Value]) -> (Int128, Double) {
        var integers: Int128 = 0
        var doubles = 0.0
        for value in values {
            if case .int(let value) = value { integers += Int128(value) }
            if case .double(let value) = value { doubles += value }
            if case .float(let value) = value { doubles += Double(value) }
        }
        return (integers, doubles)
    }

    private func isSame(_ left: Double, _ right: Double) -> Bool {
        left == right || left.isNaN && right.isNaN
    }

    /// Zeros of both signs are equal in the order.
    private func isSame(_ left: Value?, _ right: Value?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.order(relativeTo: right) == .equal
    }

    @Test("Sums of pages add up, even beyond 64 bits")
    func union() throws {
        let builder = ColumnBuilder(kind: .int)
        for value: Int64 in [.max, .max - 1] { builder.append(int: value) }
        let page = try builder.makePage()
        var total = page.summarize(Bitmap(count: 2, isSet: true))
        #expect(total.intSum == nil)
        #expect(total.doubleSum == 0x1p64)
        var only = Bitmap(count: 2)
        only[1] = true
        total.formUnion(page.summarize(only))
        #expect(total.integerSum == Int128(Int64.max) * 3 - 2)
        #expect(total.count == 3)
        #expect(total.minimum == .int(.max - 1) && total.maximum == .int(.max))
        total.formUnion(ColumnSummary())
        #expect(total.count == 3)
    }

    @Test("First occurrences are in row order, including null", arguments: [1, 65, 300])
    func firstOccurrences(rows: Int) throws {
        for column in SampleColumn.all(rows: rows, seed: 900) {
            let page = try column.page()
            for selection in selections(rows) {
                guard let found = page.firstOccurrences(in: selection) else {
                    let isSmall = [.constant, .dictionary].contains(page.encoding)
                    #expect(!isSmall, "\(column)")
                    continue
                }
                var seen: Set<Value> = []
                var expected: [(row: UInt32, value: Value)] = []
                for row in 0..<rows where selection[row] {
                    if seen.insert(column.values[row]).inserted {
                        expected.append((UInt32(row), column.values[row]))
                    }
                }
                #expect(found.map(\.row) == expected.map(\.row), "\(column)")
                #expect(found.map(\.value) == expected.map(\.value), "\(column)")
            }
        }
    }
}
