import FirnEngine
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("Values of other rows")
struct WindowTests {
    private func table() throws -> StoredTable {
        try StoredTable(
            ["k": .string, "x?": .int, "y": .double],
            [
                ("a", 3, 1.5), ("b", 1, 2.5), ("a", nil, 3), ("a", 3, 4), ("b", 7, 5), ("c", 2, 6),
            ].map { key, x, y in
                [.string(key), x.map { .int(Int64($0)) } ?? .null, .double(y)]
            }, rowsPerGroup: 2)
    }

    @Test(
        "Each row has its computed value",
        arguments: [
            ("select(@row)", [1, 2, 3, 4, 5, 6]), ("select(@row(BY k))", [1, 1, 2, 3, 2, 1]),
            ("SORT(x) | select(@rank(x))", [1, 2, 3, 4, 4, 6]),
            ("SORT(x DESC) | select(@rank(x BY k))", [1, 1, 1, 1, 2, 3]),
            ("select(@running(x))", [3, 4, 4, 7, 14, 16]),
            ("select(@running(x BY k))", [3, 1, 3, 6, 8, 2]),
            ("select(@previous(x))", [nil, 3, 1, nil, 3, 7]),
            ("select(x - @previous(x BY k))", [nil, nil, nil, nil, 6, nil]),
            ("select(@sum(x BY k))", [6, 8, 6, 6, 8, 2]),
            ("select(x + @count)", [9, 7, nil, 9, 13, 8]),
            ("select(@count(x > 2 BY k))", [2, 1, 2, 2, 1, 0]),
            ("select(@max(x BY k, y > 3))", [3, 1, 3, 3, 7, 2]),
            ("select(@first(x BY k))", [3, 1, 3, 3, 1, 2]),
            ("select(100 * x / @sum.x)", [18, 6, nil, 18, 43, 12]),
            // An aggregate beside the value of another item was refused.
            ("select(n = @count, x)", [6, 6, 6, 6, 6, 6]),
            ("select(t = @sum(x), k) | k != 'a'", [16, 16, 16]),
            ("select(x, m = @max(x)) | x == m", [7]),
            ("LIMIT(2 BY k) | select(x)", [3, 1, nil, 7, 2]),
            ("SORT(x DESC) | LIMIT(1 BY k) | select(x)", [7, 3, 2]),
            ("SORT(y DESC) | LIMIT(1 BY k, x == nil) | select(x)", [2, 7, 3, nil]),
            ("LIMIT(0 BY k) | select(x)", []),
            ("select(x, mean = @avg(x BY k)) | x > mean | select(x)", [7]),
            ("select(x, r = @row(BY k)) | r == 2 | SORT(x) | select(x)", [nil, 7]),
            ("group(k; n = @count) | select(n, t = @running(n)) | t > 3 | select(t)", [5, 6]),
            ("select(v = @row) | group(odd = v % 2; s = @sum.v) | SORT(odd) | select(s)", [12, 9]),
            ("select(d = @row) | SORT(d DESC) | LIMIT(2)", [6, 5]),
        ])
    func values(stages: String, expected: [Int64?]) throws {
        #expect(try table().ints("Item | \(stages)") == expected)
    }

    @Test("A running total beyond 64 bits is an error")
    func overflow() throws {
        let table = try StoredTable(ints: [.max, 1])
        #expect {
            _ = try table.rows("Item | select(@running(x))")
        } throws: { error in
            if case .store(let error)? = error as? QueryFailure {
                error.code == .limitExceeded
            } else {
                false
            }
        }
    }

    @Test(
        "Values of other rows need the right place and operand",
        arguments: [
            ("select(@rank(BY k))", "@rank takes one value"),
            ("select(@row(x))", "@row takes no value"),
            ("select(@running(k))", "@running needs a number, not String property \"k\""),
            ("group(k; @rank(x))", "@rank is a value of each row, which only items of select have"),
            (
                "group(k; @count(BY x))",
                "BY is for the items of a select that have a value for each row"
            ),
            (
                "select(@sum(@previous(x)))",
                "@sum of values of other rows needs a stage between them"
            ),
            (
                "select(@row(BY @rank(x)))",
                "@row of values of other rows needs a stage between them"
            ),
            (
                "group(k; @sum(x - @avg.x))",
                "@sum of values of other rows needs a stage between them"
            ),
            ("group(; x)", "a projection has either properties or values over all rows, not both"),
            ("select(@running(x WHERE y > 2))", "@running takes no condition"),
        ])
    func errors(stage: String, message: String) throws {
        let table = try table()
        #expect {
            _ = try table.rows("Item | \(stage)")
        } throws: { error in
            guard case .query(let error)? = error as? QueryFailure else { return false }
            return error.message == message
        }
    }

    /// The reference accepts identifiers without quotes, and YES and NO for Bools.
    @Test("The forms in the reference are accepted")
    func reference() throws {
        let id = UUID("00112233-4455-6677-8899-aabbccddeeff")
        let object = ObjectID("0123456789abcdef01234567")
        let table = try StoredTable(
            ["u?": .uuid, "o?": .objectID, "b": .bool, "YES": .int],
            [
                [
                    id.map { .uuid($0) } ?? .null, object.map { .objectID($0) } ?? .null,
                    .bool(true), .int(1),
                ],
                [.null, .null, .bool(false), .int(2)],
            ])
        #expect(
            try table.value("Item u == uuid(00112233-4455-6677-8899-AABBCCDDEEFF) | count")
                == .int(1))
        #expect(try table.value("Item o == oid(0123456789abcdef01234567) | count") == .int(1))
        #expect(try table.value("Item b == YES AND b != NO | count") == .int(1))
        #expect(try table.value("Item b IN {YES, NO} | count") == .int(2))
        #expect(try table.value("Item YES == 2 | count") == .int(1))
    }
}
