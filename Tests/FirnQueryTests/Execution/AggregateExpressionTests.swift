import FirnEngine
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("Aggregates of expressions and with conditions")
struct AggregateExpressionTests {
    /// Flights of three carriers; the last has only missing delays.
    private func flights() throws -> StoredTable {
        try StoredTable(
            ["carrier": .string, "delay?": .int, "miles": .double, "day": .int],
            [
                ("UA", 10, 100.0, 1), ("AA", nil, 200, 1), ("UA", 30, 300, 2), ("UA", 20, 400, 2),
                ("AA", -5, 500, 1), ("AA", 5, 600, 3), ("UA", nil, 700, 3), ("DL", nil, 800, 3),
            ].map { carrier, delay, miles, day in
                [
                    .string(carrier), delay.map { .int(Int64($0)) } ?? .null, .double(miles),
                    .int(Int64(day)),
                ]
            }, rowsPerGroup: 3)
    }

    @Test(
        "Values are computed over all rows",
        arguments: [
            ("@count(delay > 5)", [Value.int(3)]),
            ("@count(delay > 5 WHERE carrier == 'UA')", [.int(3)]),
            ("@count(delay)", [.int(5)]), ("@count(delay == nil)", [.int(3)]),
            ("@distinct(carrier), @distinct.delay", [.int(3), .int(5)]),
            ("@median.delay, @median(miles)", [.double(10), .double(450)]),
            ("@quantile(delay, 0), @quantile(delay, 1)", [.double(-5), .double(30)]),
            ("@quantile(delay, 0.25)", [.double(5)]),
            ("@variance(delay)", [.double(182.5)]), ("@stddev(miles WHERE day == 9)", [.null]),
            ("@sum(delay * 2 WHERE carrier == 'AA')", [.int(0)]),
            ("@avg(if(delay == nil, 0, delay))", [.double(7.5)]),
            ("@first.delay, @last.delay", [.int(10), .int(5)]),
            ("@min(delay % 7), @max(-delay)", [.int(-5), .int(5)]),
            ("share = 100.0 * @count(delay > 5) / @count", [.double(37.5)]),
            ("range = @max.delay - @min.delay, n = @count", [.int(35), .int(8)]),
            ("big = @count > 5", [.bool(true)]), ("@median(delay WHERE day == 9)", [.null]),
        ])
    func overAllRows(items: String, expected: [Value]) throws {
        #expect(try flights().rows("Item | select(\(items))") == [expected])
    }

    /// Collections of Any had sums, but properties did not.
    @Test("The sum and the average of an Any use only its numbers")
    func sumsOfAny() throws {
        let table = try StoredTable(
            ["g": .string, "v?": .any],
            [
                [.string("a"), .int(1)], [.string("a"), .double(0.1)],
                [.string("a"), .string("5")], [.string("b"), .null],
                [.string("b"), .list([.int(9)])],
                [.string("a"), .decimal128(try #require(Decimal128("0.2")))],
            ], rowsPerGroup: 4)
        let sum = Value.decimal128(try #require(Decimal128("1.3")))
        #expect(try table.rows("Item | select(@sum.v, n = @count.v)") == [[sum, .int(5)]])
        #expect(
            try table.rows("Item | group(g; s = @sum(v), m = @avg.v)") == [
                [
                    .string("a"), sum,
                    .decimal128(try #require(Decimal128("1.3")).divided(by: Decimal128(3))),
                ],
                [.string("b"), .decimal128(Decimal128(0)), .null],
            ])
        #expect(throws: QueryFailure.self) { try table.rows("Item | select(@median.v)") }
    }

    @Test("A sort determines the first and the last value")
    func order() throws {
        let table = try flights()
        #expect(
            try table.rows("Item | SORT(miles DESC) | select(@first.delay, @last.delay)")
                == [[.int(5), .int(10)]])
        #expect(
            try table.rows("Item | SORT(delay DESC) | group(carrier; worst = @first.delay)") == [
                [.string("UA"), .int(30)], [.string("AA"), .int(5)], [.string("DL"), .null],
            ])
    }

    @Test(
        "Values are computed for each group",
        arguments: [
            (
                "group(carrier; n = @count, late = @count(delay > 5))",
                [["UA", 4, 3], ["AA", 3, 0], ["DL", 1, 0]]
            ),
            (
                "group(carrier; share = 100 * @count(delay > 5) / @count) | SORT(share DESC)",
                [["UA", 75], ["AA", 0], ["DL", 0]]
            ),
            ("group(carrier; m = @max.delay - @min.delay) | m != nil", [["UA", 20], ["AA", 10]]),
            ("group(carrier; n = @count) | n > 3", [["UA", 4]]),
            ("group(carrier; n = @count, x = @count * 2) | x > 7", [["UA", 4, 8]]),
            (
                "group(carrier, day; n = @count) | group(day; k = @count) | SORT(day)",
                [[1, 2], [2, 1], [3, 3]]
            ),
            (
                "group(carrier, day; n = @count) | n > 1 | group(carrier; most = @max.n)",
                [["AA", 2], ["UA", 2]]
            ),
            (
                "group(carrier; n = @count) | group(many = n > 3; @sum.n) | SORT(many)",
                [[false, 4], [true, 4]]
            ),
            ("group(; n = @count)", [[8]]),
            ("group(a = carrier, b = carrier; n = @count) | n < 2", [["DL", "DL", 1]]),
            ("group(carrier; n = @count) | select(@sum.n, @distinct.carrier)", [[8, 3]]),
            ("group(c = carrier; c2 = c, n = @count) | c == 'DL'", [["DL", "DL", 1]]),
            // The operand of a computed item had the name @count, which captured the later one.
            ("group(carrier; n = 1 * @count) | select(groups = @count)", [[3]]),
            (
                "group(carrier; n = 1 * @count) | group(n; m = @count) | SORT(n)",
                [[1, 1], [3, 1], [4, 1]]
            ),
            ("group(carrier; @count, n = 2 * @count) | @count > 3 | select(n)", [[8]]),
        ] as [(String, [[any Sendable]])])
    func groups(stages: String, expected: [[any Sendable]]) throws {
        let rows = try flights().rows("Item | \(stages)").map { $0.map(\.description) }
        #expect(rows == expected.map { $0.map { "\($0)" } })
    }

    /// The aggregates that an item was computed from stayed columns with the names `@count` and
    /// `_2` that later stages could refer to: `group(carrier; n = 1 * @count) | select(@count)`
    /// gave the counts of the carriers instead of the number of carriers.
    @Test(
        "The operands of a computed item have no name in later stages",
        arguments: [
            ("group(carrier; n = 1 * @count) | select(groups = @count)", [[3]]),
            ("group(carrier; n = 1 * @count) | select(groups = @count + 0)", [[3]]),
            ("group(carrier; n = 1 * @count) | group(; groups = @count)", [[3]]),
            (
                "group(carrier; n = 1 * @count) | group(n > 3; groups = @count)",
                [[true, 1], [false, 2]]
            ),
            ("group(carrier; n = 1 * @count) | @count == 3 | select(n)", [[4], [3], [1]]),
            ("group(carrier; n = 1 * @count) | n == @count | select(n)", [[3]]),
            ("group(carrier; n = 1 * @max.delay) | select(@count, @max.n)", [[3, 30]]),
            ("group(carrier; n = @count(delay > 5) + 0, `_1` = 7) | select(@sum.`_1`)", [[21]]),
            ("group(carrier; n = @count) | select(carrier) | select(k = @count)", [[3]]),
            ("group(carrier; @count) | select(carrier) | select(k = @count)", [[3]]),
            ("group(carrier; @count) | select(@count) | select(k = @sum.@count)", [[8]]),
            // A condition that is a key was only found as a whole item.
            (
                "group(delay > 5; n = @count, k = NOT delay > 5)",
                [[true, 3, false], [false, 5, true]]
            ),
            (
                "group(delay > 5; n = 1 * @count, k = if(delay > 5 AND @count > 2, 1, 0))",
                [[true, 3, 1], [false, 5, 0]]
            ),
        ] as [(String, [[any Sendable]])])
    func hiddenColumns(stages: String, expected: [[any Sendable]]) throws {
        let rows = try flights().rows("Item | \(stages)").map { $0.map(\.description) }
        #expect(rows == expected.map { $0.map { "\($0)" } })
    }

    @Test(
        "Errors after a group list only the columns of the group",
        arguments: [
            "group(carrier; n = 1 * @count) | m > 1",
            "group(carrier; n = 1 * @count) | `@count` > 1",
            "group(carrier; n = @count(delay > 5) + 0) | `_1` > 1",
        ])
    func listedColumns(stages: String) throws {
        let failure = #expect(throws: QueryFailure.self) { try flights().rows("Item | \(stages)") }
        guard case .query(let error)? = failure else {
            Issue.record("\(stages) was understood")
            return
        }
        #expect(error.notes == ["columns: carrier · n"])
    }

    /// Names were given to keys before all keys were known, so that the item of `y = k` found the
    /// key that was called k.
    @Test(
        "Keys can exchange their names",
        arguments: [
            (
                "group(day = carrier, carrier = day; n = @count) | day == 'UA' AND n > 1",
                ["UA|2|2"]
            ),
            ("group(a = carrier; a, n = @count) | n > 3", ["UA|4"]),
            ("group(a = carrier, day; n = @count) | n > 1 AND a == 'UA'", ["UA|2|2"]),
            ("group(carrier, carrier; n = @count) | n > 3", ["UA|4"]),
        ])
    func exchangedNames(stages: String, expected: [String]) throws {
        let rows = try flights().rows("Item | \(stages)")
        #expect(rows.map { $0.map(\.description).joined(separator: "|") } == expected)
    }

    @Test("Computed values over no rows have one row")
    func noRows() throws {
        let table = try flights()
        #expect(
            try table.rows("Item miles > 9999 | select(n = @count + 1, @median.delay + 1 AS m)")
                == [[.int(1), .null]])
        #expect(try table.rows("Item miles > 9999 | group(carrier; x = @count + 1)") == [])
    }

    @Test("Rows of computed values can be filtered and sorted")
    func stagesAfterValues() throws {
        let table = try flights()
        #expect(try table.rows("Item | select(n = @count + 0) | n > 9") == [])
        #expect(try table.rows("Item | select(n = @count + 0) | n > 7 | count") == [[.int(1)]])
    }

    @Test(
        "Conditions can be used as values",
        arguments: [
            ("select(late = delay > 10) | late | count", Value.int(2)),
            ("select(late = delay > 10) | NOT late | count", .int(6)),
            ("select(late = delay > 10) | late == false | count", .int(6)),
            ("select(x = if(delay > 10, 'late', 'ok')) | x == 'ok' | count", .int(6)),
            ("SORT(delay == nil DESC, miles) | first | select(miles)", .double(200)),
            ("DISTINCT(delay > 10) | count", .int(2)),
            ("if(day == 1, miles, 0) > 150 | count", .int(2)),
            ("miles % 300 == 100 | count", .int(3)), ("day % 0 == nil | count", .int(8)),
        ])
    func conditions(stages: String, expected: Value) throws {
        #expect(try flights().value("Item | \(stages)") == expected)
    }
}
