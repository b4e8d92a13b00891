import FirnEngine
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Plans")
struct ExplanationTests {
    private func table() throws -> StoredTable {
        try StoredTable(
            ["x": .int, "s": .string], (0..<24).map { [.int($0), .string("s\($0)")] })
    }

    @Test("Explain shows what zone maps decide without reading a page")
    func zoneMaps() throws {
        let lines = try table().plan("Item x >= 12 | x < 100 | SORT(s DESC, x) LIMIT(5)")
        #expect(
            lines == [
                "scan Item: 24 rows in 3 row groups",
                "  where x >= 12 AND x < 100",
                "  zone maps skip 1 row group, pass 1 whole, leave 1 to read",
                "sort by s DESC, x ASC, keeping the first 5, best row groups first",
                "limit 5",
                "output x, s",
                "observed: window of the first 5 rows, kept up to date by order",
            ])
        #expect(try table().statistics("Item x >= 12 | explain").pagesRead == 0)
    }

    @Test("Two adjacent sorts are merged, with the later one first")
    func mergedSorts() throws {
        let lines = try table().plan("Item | SORT(s) | SORT(x DESC) | project(s AS t)")
        #expect(
            lines.dropFirst() == [
                "sort by x DESC, s ASC", "output t", "observed: kept up to date by order",
            ])
    }

    @Test("Steps keep their order")
    func steps() throws {
        let lines = try table().plan(
            "Item | DISTINCT(s) | LIMIT(9) | x > 3 | SORT(x) | SKIP(2) | first | last | count")
        #expect(
            lines.dropFirst() == [
                "distinct by s", "limit 9", "filter x > 3",
                "sort by x ASC, keeping the first 3", "skip 2", "limit 1", "last row",
                "count rows", "observed: run again because of DISTINCT",
            ])
    }

    @Test(
        "Explain shows how the result would be kept up to date",
        arguments: [
            ("Item x > 3", "kept up to date by members"),
            ("Item x > 3 | SORT(s)", "kept up to date by order"),
            ("Item | LIMIT(7)", "window of the first 7 rows, kept up to date by members"),
            ("Item | DISTINCT(s)", "run again because of DISTINCT"),
            ("Item | count", "kept up to date by members"),
            ("Item | project(@sum.x)", "kept up to date by aggregates"),
            ("Item | group(s; @count)", "kept up to date by groups"),
            (
                "Item | LIMIT(7) | group(s; @count)",
                "run again because of a LIMIT before the values"
            ),
            ("Item | group(s; @count AS n) | bar(n)", "not possible: a chart cannot be observed"),
        ])
    func maintenance(text: String, expected: String) throws {
        #expect(try table().plan(text).last == "observed: " + expected)
    }

    @Test(
        "A sort without effect is omitted",
        arguments: [
            ("Item | SORT(x) | count", 3), ("Item | SORT(x) | s != \"a\" | exists", 4),
            ("Item | SORT(x) | project(@max.x)", 3), ("Item | SORT(x) | DISTINCT(s) | count", 5),
            ("Item | SORT(x) | LIMIT(3) | count", 5),
            ("Item | SORT(x) | LIMIT(3) | SORT(s) | count", 5), ("Item | SORT(x)", 4),
        ])
    func unseenSorts(text: String, lineCount: Int) throws {
        #expect(try table().plan(text).count == lineCount)
    }

    @Test("Cheap conditions are evaluated first")
    func order() throws {
        let lines = try table().plan("Item s CONTAINS \"1\" AND s != \"q\" | x > -1")
        #expect(lines[1] == "  where x > -1 AND s != \"q\" AND s CONTAINS \"1\"")
    }
}
