import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("Charts")
struct ChartTests {
    private func bounds(_ rows: [[Value]]) -> [String] {
        rows.map { "\($0[0].quoted) \($0[1].quoted) \($0[2].quoted)" }
    }

    @Test("hist counts whole numbers in bins of equal width, and nil in a row of its own")
    func wholeNumbers() throws {
        let table = try StoredTable(ints: [1, 2, nil, 4, 10, 10, 7, nil, 5])
        let rows = try table.rows("Item | hist(x, 3)")
        #expect(bounds(rows) == ["1 4 3", "5 8 2", "9 10 2", "null null 2"])
        #expect(rows.map { $0[3] } == [1, 2.0 / 3, 2.0 / 3, 0].map { .double($0) })
        // There are no more bins than numbers.
        #expect(bounds(try table.rows("Item x < 4 | hist(x)")) == ["1 1 1", "2 2 1"])
        #expect(try table.rows("Item x > 99 | hist(x)").isEmpty)
        #expect(bounds(try table.rows("Item x == nil | hist(x)")) == ["null null 2"])
    }

    @Test("hist covers the whole range of integers")
    func extremes() throws {
        let table = try StoredTable(ints: [.min, .max, 0, -1])
        for count in [1, 2, 3, 1000] {
            let rows = try table.rows("Item | hist(x, \(count))")
            #expect(rows.count == count)
            #expect(rows.first?[0] == .int(.min))
            #expect(rows.last?[1] == .int(.max))
            let total = rows.reduce(Int64(0)) { sum, row in
                if case .int(let count) = row[2] { sum + count } else { sum }
            }
            #expect(total == 4, "\(count)")
        }
        let doubles = try StoredTable(
            ["x": .double],
            [-1.7e308, 1.7e308, 0, .infinity, -.infinity, .nan].map { [.double($0)] })
        let rows = try doubles.rows("Item | hist(x, 4)")
        #expect(rows.map { $0[2] } == [1, 0, 1, 1, 3].map { .int($0) })
        #expect(rows[3][1] == .double(1.7e308))
    }

    @Test("hist divides other numbers up to the maximum, which is in the last bin")
    func realNumbers() throws {
        let table = try StoredTable(
            ["x": .double], [0, 0.25, 0.5, 0.75, 1].map { [.double($0)] })
        #expect(bounds(try table.rows("Item | hist(x, 2)")) == ["0.0 0.5 2", "0.5 1.0 3"])
        // A bin includes its start, and values outside of the range are in no bin.
        let tenths = try StoredTable(
            ["x": .double], (-10...10).map { [.double(Double($0) / 10)] })
        let values = (-10...10).map { Double($0) / 10 }
        for count in [2, 3, 7, 9, 10, 20, 41] {
            for row in try tenths.rows("Item | hist(x, \(count))") {
                guard case .double(let from) = row[0], case .double(let to) = row[1] else {
                    Issue.record("\(row)")
                    continue
                }
                let inside = values.filter { $0 >= from && ($0 < to || to == 1) }.count
                #expect(row[2] == .int(Int64(inside)), "\(count): \(row)")
            }
        }
        let wide = try StoredTable(
            ["x": .double], [1e300, -1.7e308, 1.7e308].map { [.double($0)] })
        #expect(try wide.rows("Item | hist(x, 3)").map { $0[2] } == [1, 1, 1].map { .int($0) })
        #expect(
            try wide.rows("Item | hist(x, 3)").allSatisfy { row in
                if case .double(let to) = row[1] { to.isFinite } else { false }
            })
        let same = try StoredTable(["x": .double], [[.double(3)], [.double(3)]])
        #expect(bounds(try same.rows("Item | hist(x, 7)")) == ["3.0 3.0 2"])
    }

    @Test("hist divides dates at whole days, hours, minutes or seconds")
    func dates() throws {
        func starts(_ seconds: [Int64], _ count: Int) throws -> [Int64] {
            let table = try StoredTable(
                ["x": .date], seconds.map { [.date(Timestamp(seconds: $0))] })
            let rows = try table.rows("Item | hist(x, \(count))")
            #expect(rows.count <= count + 1)
            return rows.map { row in
                if case .date(let date) = row[0] { date.seconds } else { -1 }
            }
        }
        #expect(try starts([86_400 * 3 + 5, 86_400 * 7 + 9], 2) == [86_400 * 3, 86_400 * 6])
        #expect(try starts([-1, 7_200], 3) == [-60, 2_400, 4_860])
        #expect(try starts([61, 185], 2) == [60, 180])
        #expect(try starts([5, 6, 7], 3) == [5, 6, 7])
        #expect(try starts([.min, .max], 2).count == 2)
        let last: Int64 = 253_402_214_400
        let table = try StoredTable(
            ["x": .date], [0, last].map { [.date(Timestamp(seconds: $0))] })
        #expect(
            try table.rows("Item | hist(x, 2)").last?[1] == .date(Timestamp(seconds: last)))
        var days = Histogram(bucketCount: 10, of: .date, isDateOnly: true)
        var vector = ColumnVector(kind: .date)
        for day in 0..<3 { vector.append(.date(Timestamp(seconds: Int64(day) * 86_400))) }
        days.widen(to: vector)
        days.divide()
        days.add(vector)
        #expect(days.counts == [1, 1, 1])
    }

    @Test("bar shows each value as a share of the maximum, and positive values above 0")
    func bars() throws {
        let table = try StoredTable(ints: [80, 40, 1, 0, -5, nil, 81])
        let rows = try table.rows("Item SORT(x DESC) | bar(x)")
        #expect(rows.map { $0[0] } == [81, 80, 40, 1, 0, -5].map { .int($0) } + [.null])
        let shares = [1, 80.0 / 81, 40.0 / 81, 1.0 / 81, 0, 0, 0]
        #expect(rows.map { $0[1] } == shares.map { .double($0) })
        #expect(
            try table.rows("Item x > 1 | group(x; @count AS n) | bar(n)")
                .map { $0.count } == [3, 3, 3])
        #expect(try table.rows("Item x < 0 | bar(x)").map { $0[1] } == [.double(0)])
        let extremes = try StoredTable(
            ["x": .double], [[.double(.leastNonzeroMagnitude)], [.double(1e308)]])
        let least = Value.double(.leastNonzeroMagnitude)
        #expect(try extremes.rows("Item | bar(x)").map { $0[1] } == [least, .double(1)])
    }

    @Test("spark has the means of at most 60 consecutive parts of the values")
    func line() throws {
        func list(_ means: [Double]) -> Value { .list(means.map { .double($0) }) }
        let table = try StoredTable(ints: [0, 7, nil, 14, 3])
        #expect(
            try table.rows("Item | spark(x)") == [[.int(0), .int(14), list([0, 7, 14, 3])]])
        let many = try StoredTable(ints: (0..<600).map { Int64($0 / 300) }, rowsPerGroup: 64)
        let halves = (0..<60).map { Double($0 / 30) }
        #expect(try many.rows("Item | spark(x)").first?[2] == list(halves))
        let outlier = try StoredTable(
            ints: (0..<120).map { $0 == 119 ? 600 : Int64($0 / 60 * 300) }, rowsPerGroup: 64)
        let plain = (0..<59).map { Double($0 / 30 * 300) }
        #expect(
            try outlier.rows("Item | spark(x)") == [[.int(0), .int(600), list(plain + [450])]])
        #expect(try table.rows("Item x > 99 | spark(x)").isEmpty)
        let near = try StoredTable(ints: [9_007_199_254_740_993, 9_007_199_254_740_992])
        #expect(
            try near.rows("Item | spark(x)").first?.prefix(2) == [
                .int(9_007_199_254_740_992), .int(9_007_199_254_740_993),
            ])
        #expect(try table.rows("Item x == 7 | spark(x)").first?[2] == list([7]))
    }

    @Test(
        "Columns that cannot be drawn are refused at their position",
        arguments: [
            ("Item | hist(y)", "no property"), ("Item | hist(x, 0)", "from 1 to 1000"),
            ("Item | hist(x, 1001)", "from 1 to 1000"), ("Item | hist(x) | count", "cannot follow"),
            ("Item | bar(x) SORT(x)", ""), ("Item | spark(x) | bar(x)", "cannot follow"),
            ("Item | count | bar(x)", "cannot follow"),
        ])
    func refused(text: String, message: String) throws {
        let snapshot = try StoredTable(ints: [1]).snapshot()
        do {
            _ = try snapshot.query(text)
            Issue.record("\(text) was understood")
        } catch .query(let error) {
            #expect(message.isEmpty || error.message.contains(message), "\(error.message)")
        } catch { throw error }
    }

    @Test("The canonical text of a chart can be parsed again, and plans show the chart")
    func texts() throws {
        let table = try StoredTable(ints: [1, 2])
        for text in ["hist(`x`, 10)", "bar(`x`)", "spark(`x`)"] {
            let query = try BoundQuery(
                "Item | \(text)", entry: .pipeline,
                in: BindingContext(
                    schema: table.snapshot().schema, defaultClass: nil, arguments: [:],
                    positional: [], now: Timestamp(seconds: 0)))
            let again = try BoundQuery(
                query.description, entry: .pipeline,
                in: BindingContext(
                    schema: table.snapshot().schema, defaultClass: nil, arguments: [:],
                    positional: [], now: Timestamp(seconds: 0)))
            #expect(again.stages == query.stages)
        }
        #expect(
            try table.plan("Item | hist(x)").contains("histogram of x in 10 parts, in two passes"))
    }
}
