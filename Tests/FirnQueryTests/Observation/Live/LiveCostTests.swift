import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("The cost of following a commit")
struct LiveCostTests {
    @Test(
        "Following a commit reads no more of the file than one path down its trees",
        arguments: [
            "Person age > 3", "Person SORT(age ASC)", "Person friend.age > 3 SORT(name DESC)",
            "Person SORT(age ASC) LIMIT(5)",
        ])
    func pages(text: String) throws {
        let few = try pagesRead(text, of: 100)
        let many = try pagesRead(text, of: 3_200)
        // Sixteen times as many row groups and directory leaves; at most two more levels.
        #expect(many <= few + 8, "\(few) pages of 100 objects, \(many) of 3200")
    }

    /// Nothing is cached in memory, and a row group has eight rows.
    private func pagesRead(_ text: String, of count: Int) throws -> Int {
        var options = StoreOptions()
        options.rowsPerGroup = 8
        options.cacheByteBudget = 0
        let people = try LivePeople(
            (0..<count).map { ("p\($0)", Int64($0 % 97)) }, options: options)
        let live = try LiveQuery(people.query(text), on: people.snapshot(), observing: .reachable)
        let row = UInt64(count / 2)
        let step = try people.step { try people.set("age", of: row, to: .int(50), $0) }
        let before = step.new.snapshot.readCounts.pages
        _ = try live.advance(step)
        #expect(live.restartCount == 0)
        return step.new.snapshot.readCounts.pages - before
    }

    @Test("Many queries read as much of a commit as a single query")
    func shared() throws {
        let texts = (0..<50).map { "Person age > \($0) AND name != \"p\($0)\"" }
        let one = try pagesRead(Array(texts.prefix(1)))
        #expect(one > 0)
        #expect(try pagesRead(texts) == one)
        let orders = (0..<20).map { "Person age > \($0) SORT(age ASC, name ASC)" }
        let few = try pagesRead(Array(orders.prefix(2)))
        #expect(try pagesRead(orders) <= few * 4)
    }

    @Test(
        "Queries read nothing for a commit that wrote none of their columns",
        arguments: [
            "Person name != \"x\"", "Person SORT(name ASC)", "Person friend.name != \"x\"",
            "Person DISTINCT(name)",
        ])
    func untouched(text: String) throws {
        #expect(try pagesRead([text], observing: .membership) == 0)
    }

    /// The number of pages that all queries read for a commit that sets the age of one object.
    private func pagesRead(
        _ texts: [String], observing: ObservedPaths = .own
    ) throws -> Int {
        var options = StoreOptions()
        options.rowsPerGroup = 8
        options.cacheByteBudget = 0
        let people = try LivePeople(
            (0..<400).map { ("p\($0)", Int64($0 % 97)) }, options: options)
        let queries = try texts.map {
            try LiveQuery(people.query($0), on: people.snapshot(), observing: observing)
        }
        let step = try people.step { try people.set("age", of: 200, to: .int(50), $0) }
        let live = step.live
        let before = step.new.snapshot.readCounts.pages
        for query in queries { _ = try query.advance(live) }
        return step.new.snapshot.readCounts.pages - before
    }
}
