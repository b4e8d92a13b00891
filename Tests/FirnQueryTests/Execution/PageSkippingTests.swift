import FirnEngine
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Minimal reading")
struct PageSkippingTests {
    private func table() throws -> StoredTable {
        try StoredTable(ints: (0..<80).map { Int64($0) })
    }

    @Test(
        "A count reads no page where zone maps decide the result",
        arguments: [
            ("", 80), ("x >= 0", 80), ("x < 16", 16), ("x == nil", 0), ("x > 1000", 0),
            ("x != nil", 80), ("NOT x > 1000", 80), ("x < 8 OR x >= 72", 16), ("@id >= 40", 40),
        ])
    func count(condition: String, expected: Int) throws {
        let text = "Item \(condition) | count"
        let table = try table()
        #expect(try table.value(text) == .int(Int64(expected)))
        #expect(try table.statistics(text).pagesRead == 0)
        // The directory was decoded by the first query.
        #expect(try table.statistics(text).bytesDecoded == 0)
    }

    @Test("A count over deleted rows reads only their delete marks")
    func countWithDeletes() throws {
        let table = try table()
        try table.change(deleting: [3, 4, 79])
        #expect(try table.value("Item | count") == .int(77))
        #expect(try table.value("Item x < 8 | count") == .int(6))
        #expect(try table.statistics("Item x < 8 | count").pagesRead == 0)
    }

    @Test("A condition reads only pages that zone maps do not exclude")
    func filter() throws {
        let table = try table()
        #expect(try table.ints("Item x BETWEEN {20, 21}") == [20, 21])
        #expect(try table.statistics("Item x BETWEEN {20, 21}").pagesRead == 1)
        #expect(try table.statistics("Item x BETWEEN {20, 21}").pagesTotal == 10)
        #expect(try table.statistics("Item @id == 20").pagesRead == 1)
    }

    @Test("A limit stops reading, first and last read one end, and exists stops at the first row")
    func limits() throws {
        let table = try table()
        #expect(try table.statistics("Item LIMIT(9)").pagesRead == 2)
        #expect(try table.statistics("Item LIMIT(0)").pagesRead == 0)
        #expect(try table.statistics("Item | first").pagesRead == 1)
        #expect(try table.ints("Item | last") == [79])
        #expect(try table.statistics("Item | last").pagesRead == 1)
        #expect(try table.ints("Item x != 79 | last") == [78])
        #expect(try table.statistics("Item x > 3 | exists").pagesRead == 1)
        #expect(try table.value("Item x > 78 | exists") == .bool(true))
    }

    @Test("A page is counted once, however often it is used")
    func countedOnce() throws {
        let table = try table()
        #expect(try table.statistics("Item x != 3 | SORT(x DESC) | x != 7").pagesRead == 10)
        #expect(try table.statistics("Item | DISTINCT(x) | project(x, @id)").pagesRead == 10)
    }

    @Test("A column that is not returned needs no row ids")
    func projection() throws {
        let table = try StoredTable(
            ["x": .int, "y": .int], (0..<16).map { [.int($0), .int(-$0)] })
        #expect(try table.statistics("Item | project(y)").pagesTotal == 2)
        #expect(try table.statistics("Item x > 3 | project(y)").pagesTotal == 4)
        #expect(try table.statistics("Item | project(@id)").pagesRead == 0)
    }
}
