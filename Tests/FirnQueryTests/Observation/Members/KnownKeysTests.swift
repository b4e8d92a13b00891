import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Keys cached by an order")
struct KnownKeysTests {
    /// Names with equal codes, so that each comparison needs the value.
    private func name(_ number: Int) -> String { "a long common beginning \(number % 7)" }

    @Test(
        "An order over values with equal codes stays correct",
        arguments: 0..<8 as Range<UInt64>)
    func order(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let people = try LivePeople((0..<600).map { (name($0), Int64($0 % 5)) })
        let query = try people.query("Person SORT(name ASC, age DESC)")
        let live = try LiveQuery(query, on: people.snapshot(), observing: .own)
        for step in 0..<40 {
            let row = UInt64.random(in: 0..<600, using: &generator)
            let other = Int.random(in: 0..<600, using: &generator)
            let done = try people.step { transaction in
                switch step % 4 {
                case 0: try people.set("name", of: row, to: .string(name(other)), transaction)
                case 1: try people.set("age", of: row, to: .int(Int64(other % 5)), transaction)
                case 2:
                    _ = try transaction.create(
                        in: people.person.id, LivePeople.values(name(other), 1))
                default:
                    if try transaction.snapshot().table(people.person.id)?.locate(RowID(row)) != nil
                    {
                        try transaction.delete(RowID(row), in: people.person.id)
                        // A deleted row is not written to again.
                        _ = try transaction.create(
                            in: people.person.id, LivePeople.values(name(other), 2))
                    }
                }
            }
            _ = try live.advance(done)
            let fresh = try LiveQuery(query, on: done.new, observing: .own)
            #expect(live.rows == fresh.rows, "seed \(seed), step \(step)")
        }
        #expect(live.restartCount == 0)
    }
}
