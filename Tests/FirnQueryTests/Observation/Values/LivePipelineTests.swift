import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Live values of any pipeline")
struct LivePipelineTests {
    /// A median over the rows of a group cannot be kept, but the plan looked for such aggregates
    /// only in the last stage if that has aggregates, too: `group(state; @median.amount) |
    /// select(@count)` was planned with running values, and ended the process.
    @Test(
        "Group values that cannot be maintained are recomputed, whatever follows the group",
        arguments: [
            "@median.amount", "@distinct.amount", "@stddev.total", "@variance.total",
            "@first.state", "@last.state", "@quantile(amount, 0.5)", "2 * @median.amount",
        ])
    func unsupported(item: String) throws {
        let orders = try LiveOrders(seed: 1)
        for (text, isGrouped) in [
            ("Order | group(state; m = \(item)) | select(n = @count)", true),
            ("Order | group(state; m = \(item)) | select(n = @count, l = @last.m)", true),
            ("Order | group(; m = \(item)) | select(n = @count)", true),
        ] {
            let query = try orders.query(text)
            let live = try LiveValues(query, on: orders.snapshot())
            #expect((live.reasonToRunAgain != nil) == isGrouped, "\(text)")
            let step = try orders.step { transaction in
                try orders.create(state: "x", amount: 3, total: 2, in: transaction)
            }
            _ = try live.advance(step)
            #expect(try live.texts(in: step.new) == step.new.texts(of: query), "\(text)")
        }
    }

    /// The items of a group without keys were taken for the aggregates after it, in their order.
    @Test("Aggregates over the one row of a group without keys are computed from that row")
    func oneGroup() throws {
        let orders = try LiveOrders(seed: 1)
        let query = try orders.query(
            "Order | group(; n = @count, s = @sum.amount) | select(most = @max.s, rows = @count)")
        let live = try LiveValues(query, on: orders.snapshot())
        let step = try orders.step { transaction in
            try orders.create(state: "x", amount: 40, in: transaction)
            try orders.create(state: "y", amount: 2, in: transaction)
        }
        _ = try live.advance(step)
        #expect(try live.texts(in: step.new) == step.new.texts(of: query))
        #expect(live.table.firstValue(0) == .int(42) && live.table.firstValue(1) == .int(1))
    }

    @Test(
        "After random commits, the values of random pipelines equal those of fresh queries",
        arguments: TestScale.seeds(12))
    func random(seed: UInt64) throws {
        var orders = try LiveOrders(seed: seed)
        for _ in 0..<5 { try orders.commit() }
        var pipelines = RandomPipeline(seed: seed)
        var snapshot = try orders.snapshot()
        var followers: [(query: BoundQuery, live: LiveValues)] = []
        var refused: [String] = []
        while followers.count < 40, refused.count < 200 {
            let text = pipelines.next()
            do {
                let query = try orders.query(text)
                guard LiveValues.applies(to: query) else { continue }
                followers.append((query, try LiveValues(query, on: snapshot)))
            } catch { refused.append("\(text): \(error)") }
        }
        #expect(refused.count < 20, "\(refused.prefix(5))")
        for number in 0..<12 {
            for _ in 0..<(number % 3 == 0 ? 3 : 1) { try orders.commit() }
            let next = try orders.snapshot()
            let changes = try orders.store.changes(from: snapshot.snapshot, to: next.snapshot)
            let step = LiveStep(from: snapshot, to: next, by: changes)
            for (query, live) in followers {
                _ = try live.advance(step)
                let (found, fresh) = (try live.texts(in: next), try next.texts(of: query))
                guard found == fresh else {
                    Issue.record(
                        "seed \(seed), commit \(number), \(query.text): \(found), not \(fresh)")
                    return
                }
            }
            RunCounters.histories.add(followers.count)
            snapshot = next
        }
    }
}
