import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

/// The long run took 18 GB: the cache of a query through links, about the objects at the other end,
/// referred to its reader, which referred to it. So each such query kept its snapshot as long as
/// the process ran, and with the snapshot the space of its version in the file.
@Suite("The lifetime of the snapshot of a query")
struct SnapshotReaderTests {
    @Test(
        "A result without references releases its snapshot, whatever it read",
        arguments: TestScale.seeds(6))
    func results(seed: UInt64) throws {
        let store = try GraphStore(seed: seed)
        let snapshot = try store.snapshot()
        var queries = RandomGraphQuery(store, try GraphData(snapshot), seed: seed)
        for _ in 0..<60 {
            let root = queries.root()
            let predicate = queries.predicate(of: root, depth: 3)
            let expression = queries.expression(from: root)
            let stages: [BoundStage] = [
                .filter(predicate),
                .project([BoundProjection(expression, name: "c", type: expression.type)]),
            ]
            let reader = try run(
                BoundQuery(classSchema: root, stages: stages, explain: false, text: ""), snapshot)
            #expect(reader.isGone, "seed \(seed) of \(root.name): \(predicate) \(expression)")
        }
    }

    @Test(
        "Live queries and their steps release everything that they read",
        arguments: TestScale.seeds(4))
    func liveQueries(seed: UInt64) throws {
        var store = try GraphStore(seed: seed)
        var snapshot = DatabaseSnapshot(try store.snapshot(), now: Timestamp(seconds: 0))
        let data = try GraphData(snapshot.snapshot)
        var random = RandomLiveQuery(store, data, seed: seed)
        var followed: [LiveQuery] = []
        for _ in 0..<16 {
            let (query, source, observed) = random.next()
            followed.append(
                try LiveQuery(query, on: snapshot, among: source, observing: observed))
        }
        for _ in 0..<6 {
            try store.change()
            let next = DatabaseSnapshot(try store.snapshot(), now: Timestamp(seconds: 0))
            let references = try step(followed, from: snapshot, to: next, store)
            let left = references.filter { !$0.isGone }
            #expect(left.isEmpty, "seed \(seed)")
            snapshot = next
        }
    }

    private struct Reference {
        weak var object: AnyObject?
        var isGone: Bool { object == nil }
    }

    /// Runs a query to its end.
    private func run(_ query: BoundQuery, _ snapshot: Snapshot) throws -> Reference {
        let execution = try Execution(query, on: snapshot)
        let rows = try execution.rows()
        while try rows.next() != nil {}
        return Reference(object: execution.reader)
    }

    private func step(
        _ queries: [LiveQuery], from old: DatabaseSnapshot, to new: DatabaseSnapshot,
        _ store: GraphStore
    ) throws -> [Reference] {
        let changes = try store.store.changes(from: old.snapshot, to: new.snapshot)
        let step = LiveStep(from: old, to: new, by: changes)
        for query in queries { _ = try query.advance(step) }
        return [
            Reference(object: step), Reference(object: step.before), Reference(object: step.after),
        ]
    }
}
