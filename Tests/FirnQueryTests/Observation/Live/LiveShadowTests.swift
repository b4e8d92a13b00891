import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Copies that are updated by changes only")
struct LiveShadowTests {
    @Test(
        "With recorded commits, a copy equals a fresh query at every version",
        arguments: TestScale.seeds(20))
    func recorded(seed: UInt64) throws {
        try follow(ShadowedHistory(seed: seed, compares: false), seed)
    }

    @Test(
        "With version differences, a copy equals a fresh query at every version",
        arguments: TestScale.seeds(12)
    )
    func compared(seed: UInt64) throws {
        try follow(ShadowedHistory(seed: seed &+ 100_000, compares: true), seed)
    }

    private func follow(_ history: ShadowedHistory, _ seed: UInt64) throws {
        var history = history
        for step in 0..<6 {
            guard let problem = try history.advance() else {
                RunCounters.histories.add(1)
                continue
            }
            Issue.record("seed \(seed), step \(step): \(problem.prefix(2_000))")
            return
        }
    }
}

/// A random history that live queries and live collections follow.
struct ShadowedHistory {
    /// Whether versions are compared, or the records of commits are read.
    private let compares: Bool
    private var store: GraphStore
    private var edits: RandomEdits
    private var generator: SplitMix64
    private var snapshot: DatabaseSnapshot
    private var data: GraphData
    private var queries: [LiveShadow] = []
    private var collections: [CollectionShadow] = []

    init(seed: UInt64, compares: Bool) throws {
        self.compares = compares
        // With a log, the records are read from it; without, from the history in the file.
        store = try GraphStore(seed: seed &+ 5_000, logging: seed % 2 == 0 ? .always : .never)
        edits = RandomEdits(store, seed: seed)
        generator = SplitMix64(seed: seed)
        snapshot = DatabaseSnapshot(try store.snapshot(), now: Timestamp(seconds: 0))
        data = try GraphData(snapshot.snapshot)
        var random = RandomLiveQuery(store, data, seed: seed)
        for _ in 0..<16 {
            let (query, source, observed) = random.next()
            queries.append(
                try LiveShadow(query, on: snapshot, among: source, observing: observed))
        }
        for schema in [store.plane, store.flight] {
            for property in schema.properties
            where property.type.base != .link || property.type.container == .map {
                guard property.type.container != .single,
                    let row = data.rows(of: schema).randomElement(using: &generator)
                else { continue }
                collections.append(
                    CollectionShadow(property, of: row, in: schema, on: snapshot, data))
            }
        }
    }

    /// Commits once or several times, and advances all followers.
    ///
    /// - Returns: the errors.
    mutating func advance() throws -> String? {
        for _ in 0..<(generator.happens(oneIn: 3) ? 3 : 1) {
            if generator.happens(oneIn: 2) { try store.change() } else { try edits.commit() }
            if generator.happens(oneIn: 5) { try store.store.checkpoint() }
        }
        if generator.happens(oneIn: 6) { _ = try store.store.compact(CompactionOptions()) }
        let next = DatabaseSnapshot(try store.snapshot(), now: Timestamp(seconds: 0))
        let nextData = try GraphData(next.snapshot)
        let changes =
            compares
            ? ComparedChanges.between(data, nextData, from: snapshot.version, to: next.version)
            : try store.store.changes(from: snapshot.snapshot, to: next.snapshot)
        let oracle = ModificationOracle(old: data, new: nextData, changes: changes)
        let step = LiveStep(from: snapshot, to: next, by: changes)
        for index in queries.indices {
            let problem = try queries[index].advance(step, oracle)
            guard let problem else { continue }
            let shadow = queries[index]
            return """
                \(problem)
                \(shadow.query.classSchema.name) \(shadow.query.stages) of \(shadow.source)
                \(shadow.live.maintenance), observing \(shadow.observed)
                """
        }
        for index in collections.indices {
            let problem = try collections[index].advance(step, oracle)
            if let problem { return problem }
        }
        (snapshot, data) = (next, nextData)
        return nil
    }
}
