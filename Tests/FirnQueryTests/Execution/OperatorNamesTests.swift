import FirnEngine
import FirnValues
import Testing

@testable import FirnQuery

/// A word such as `text` was an operator wherever an operator can be, also as the name of a property
/// or of the function, so that `Item text(in) == "1"` and `@row(BY in)` were errors.
@Suite("Properties and functions with the names of operators")
struct OperatorNamesTests {
    private func table() throws -> StoredTable {
        try StoredTable(
            ["text": .string, "like": .int, "in": .int, "contains": .bool, "between": .int],
            [("a", 1, 1, true, 5), ("b", 2, 1, false, 6), ("ab", 3, 2, true, 7)].map {
                text, like, number, contains, between in
                [
                    .string(text), .int(Int64(like)), .int(Int64(number)), .bool(contains),
                    .int(Int64(between)),
                ]
            })
    }

    @Test(
        "An operator word is a name if nothing to compare follows it",
        arguments: [
            ("Item text(in) == '1'", [1, 2]), ("Item text(like) + 'x' == '3x'", [3]),
            ("Item like + 1 > 2", [2, 3]),
            ("Item in * like == 6", [3]), ("Item between % 5 == 1", [2]),
            ("Item contains AND in == 1", [1]), ("Item like == 3 OR contains", [1, 3]),
            ("Item text LIKE 'a*' AND like > 1", [3]), ("Item text CONTAINS text", [1, 2, 3]),
            ("Item in IN {2}", [3]), ("Item between BETWEEN {6, 9}", [2, 3]),
            ("Item contains == true", [1, 3]), ("Item NOT contains", [2]),
            ("Item NOT contains SORT(in)", [2]), ("Item contains SORT(in DESC)", [3, 1]),
            ("Item SORT(in DESC, text)", [3, 1, 2]), ("Item DISTINCT(in)", [1, 3]),
            ("Item LIMIT(1 BY in)", [1, 3]), ("Item LIMIT(1 BY text(in))", [1, 3]),
        ])
    func rows(query: String, expected: [Int64]) throws {
        #expect(try table().ints(query + " | select(like)") == expected, "\(query)")
    }

    @Test(
        "Values over rows can have keys named like operators",
        arguments: [
            ("select(@row(BY in))", [1, 2, 1]), ("select(@row(BY text(in), in))", [1, 2, 1]),
            ("select(@sum(like BY in))", [3, 3, 3]), ("group(in; n = @count) | select(n)", [2, 1]),
            ("group(text(in); n = @max.between) | select(n)", [6, 7]),
        ])
    func keys(stages: String, expected: [Int64]) throws {
        #expect(try table().ints("Item | " + stages) == expected, "\(stages)")
    }

    @Test(
        "A computed key can be the same for all rows",
        arguments: [
            ("SORT(1 + 1, like DESC) | select(like)", [3, 2, 1]),
            ("SORT('a' + 'b') | select(like)", [1, 2, 3]),
            ("DISTINCT(1 + 1) | select(like)", [1]), ("DISTINCT(1.5 * 2) | select(like)", [1]),
            ("group(1 + 1; n = @count) | select(n)", [3]),
            ("group(k = 1 + 1, in; n = @count) | select(n)", [2, 1]),
            ("LIMIT(2 BY 1 + 1) | select(like)", [1, 2]),
            ("select(@row(BY 1 + 1))", [1, 2, 3]),
            ("SORT(2 > 1, like DESC) | select(like)", [3, 2, 1]),
            ("DISTINCT(2 > 1) | select(like)", [1]),
            ("group(k = 2 > 1; n = @count) | select(n)", [3]),
            ("select(x = if(0.1 == 0.10 AND NOT 'a' > 'b', 1, 2))", [1, 1, 1]),
            ("select(x = if(nil < 1 OR nil != nil, 1, 2))", [2, 2, 2]),
            ("select(x = if(9223372036854775807 < 9223372036854775808, 1, 2))", [1, 1, 1]),
            ("select(x = if(2024-01-31 >= 2024-01-30T23:00:00Z, 1, 2))", [1, 1, 1]),
        ])
    func constantKeys(stages: String, expected: [Int64]) throws {
        #expect(try table().ints("Item | " + stages) == expected, "\(stages)")
    }

    @Test(
        "Stages can follow the values over all rows",
        arguments: [
            ("select(n = @count) | n > 2", [3]), ("select(n = @count) | n > 3", []),
            ("select(n = @count, m = @max.like) | select(n * m)", [9]),
            ("select(n = @count) | group(n; k = @count) | select(k)", [1]),
            ("select(n = @count) | SORT(n) | LIMIT(1) | first", [3]),
            ("select(@count) | select(@count)", [3]), ("select(n = @count) | count", [1]),
            ("select(n = @sum.like) | select(k = @count)", [1]),
        ])
    func afterValues(stages: String, expected: [Int64]) throws {
        #expect(try table().ints("Item | " + stages) == expected, "\(stages)")
    }

    @Test(
        "A string operator accepts a list, and any string in it may match",
        arguments: [
            ("text CONTAINS {'b', 'x'}", [2, 3]), ("text BEGINSWITH {'b', 'x'}", [2]),
            ("text ENDSWITH[c] {'B', 'x'}", [2, 3]), ("text LIKE {'?', 'x'}", [1, 2]),
            ("text MATCHES {'a.', 'b'}", [2, 3]), ("text CONTAINS ALL {'a', 'b'}", [3]),
            ("text CONTAINS {}", []), ("NOT text CONTAINS {'a'}", [2]),
        ])
    func lists(condition: String, expected: [Int64]) throws {
        #expect(try table().ints("Item \(condition) | select(like)") == expected, "\(condition)")
    }
}
