import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Aggregates")
struct AggregateTests {
    private func table() throws -> StoredTable {
        try StoredTable(
            ["x?": .int, "d?": .double, "t?": .date, "s?": .string],
            [
                [.int(1), .double(0.5), .date(Timestamp(seconds: 5)), .string("b")],
                [.null, .null, .null, .null],
                [
                    .int(2), .double(.nan), .date(Timestamp(seconds: -5, nanoseconds: 7)),
                    .string("a"),
                ],
            ])
    }

    private let everything =
        "project(@count AS n, @count.x AS c, @sum.x AS s, @sum.d AS sd, @avg.x AS a, @avg.d AS ad, "
        + "@min.x AS lx, @max.t AS ht, @min.s AS ls)"

    @Test(
        "Without rows, counts and sums are 0 and the other aggregates are nil",
        arguments: ["x > 100", "FALSEPREDICATE", "x == 1 | LIMIT(0)", "x == 1 | SKIP(1)"])
    func empty(condition: String) throws {
        #expect(
            try table().rows("Item | \(condition) | \(everything)") == [
                [.int(0), .int(0), .int(0), .double(0), .null, .null, .null, .null, .null]
            ])
        #expect(try table().value("Item | \(condition) | count") == .int(0))
        #expect(try table().value("Item | \(condition) | exists") == .bool(false))
        #expect(try table().rows("Item | \(condition) | first") == [])
        #expect(try table().rows("Item | \(condition) | last") == [])
    }

    @Test("With only nil values, all rows are counted and the values are not")
    func onlyNulls() throws {
        #expect(
            try table().rows("Item | x == nil | \(everything)") == [
                [.int(1), .int(0), .int(0), .double(0), .null, .null, .null, .null, .null]
            ])
    }

    @Test("Dates and strings have a minimum and a maximum")
    func extremes() throws {
        let found = try table().rows("Item | project(@min.t, @max.t, @min.s, @max.s, @max.@id)")
        #expect(
            found == [
                [
                    .date(Timestamp(seconds: -5, nanoseconds: 7)), .date(Timestamp(seconds: 5)),
                    .string("a"), .string("b"), .int(2),
                ]
            ])
    }

    @Test("NaN is ignored in a minimum and kept in a sum")
    func notANumber() throws {
        let found = try table().rows("Item | project(@min.d, @max.d, @sum.d)")
        #expect(found == [[.double(0.5), .double(0.5), .double(.nan)]])
    }

    @Test("A sum beyond 64 bits is an error, unless it comes back into range")
    func overflow() throws {
        let table = try StoredTable(ints: [.max, 1, -1, .min], rowsPerGroup: 2)
        #expect(try table.value("Item | project(@sum.x)") == .int(-1))
        #expect(try table.value("Item | x >= -1 | project(@sum.x)") == .int(.max))
        for text in ["Item | x > 0 | project(@sum.x)", "Item | x < 0 | project(@sum.x)"] {
            do {
                let value = try table.value(text)
                Issue.record("\(String(describing: value)) instead of an overflow")
            } catch QueryFailure.store(let error) {
                #expect(error.code == .limitExceeded)
                #expect(error.remedy?.contains("@avg") == true)
            }
        }
        #expect(try table.value("Item | x > 0 | project(@avg.x)") == .double(0x1p62))
    }

    @Test("An average of integers is rounded once")
    func average() throws {
        // Double(sum) would be 2^63 + 2^11 - ..., rounded before the division.
        let table = try StoredTable(ints: [.max, .max - 1, .max - 1_024, 12_345, 7])
        let numbers: [Int64] = [.max, .max - 1, .max - 1_024, 12_345, 7]
        let sum = numbers.reduce(Int128(0)) { $0 + Int128($1) }
        #expect(
            try table.value("Item | project(@avg.x)")
                == .double(OracleQuery.exactQuotient(sum, numbers.count)))
        #expect(ExactQuotient.double(1 << 53 + 1, 1) == 0x1p53)
        #expect(ExactQuotient.double(1 << 53 + 3, 1) == 0x1p53 + 4)
        #expect(ExactQuotient.double(-(1 << 53 + 3), 1) == -0x1p53 - 4)
        // 2^54 + 2 + 1/3 is above the midpoint of its neighbours, 2^54 + 2 is the midpoint itself.
        #expect(ExactQuotient.double((1 << 54 + 2) * 3 + 1, 3) == 0x1p54 + 4)
        #expect(ExactQuotient.double((1 << 54 + 2) * 3, 3) == 0x1p54)
        #expect(ExactQuotient.double(Int128(Int64.min) * 3, 3) == -0x1p63)
    }

    @Test("A quotient equals the nearest result found by a search")
    func quotients() {
        var generator = SplitMix64(seed: 9)
        for _ in 0..<2_000 {
            let sum = Int128(Int64.random(in: .min ... .max, using: &generator)) * 5
            let count = Int.random(in: 1...1_000, using: &generator)
            #expect(
                ExactQuotient.double(sum, count) == OracleQuery.exactQuotient(sum, count),
                "\(sum) / \(count)")
        }
    }
}
