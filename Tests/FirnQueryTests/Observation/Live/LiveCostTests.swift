import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("What following a commit costs")
struct LiveCostTests {
    @Test(
        "Of the file no more is read for a commit than a way down its trees",
        arguments: [
            "Person age > 3", "Person SORT(age ASC)", "Person friend.age > 3 SORT(name DESC)",
            "Person SORT(age ASC) LIMIT(5)",
        ])
    func pages(text: String) throws {
        let few = try pagesRead(text, of: 100)
        let many = try pagesRead(text, of: 3_200)
        // Sixteen times as many row groups and directory leaves; two more levels at most.
        #expect(many <= few + 8, "\(few) pages of 100 objects, \(many) of 3200")
    }

    /// Nothing is kept in memory, and a row group has eight rows.
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
}
