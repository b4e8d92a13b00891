import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

extension RandomGraphTests {
    /// Every version is queried three times: as committed, as replayed, and after all or a part of
    /// the commits went into pages.
    @Test(
        "Queries have the same results over commits and over pages", arguments: TestScale.seeds(6))
    func overOverlays(seed: UInt64) throws {
        var graph = try GraphStore(seed: seed + 500)
        let root = try graph.snapshot()
        var current = root
        var frames: [Frame] = []
        for number in 0..<4 {
            let transaction = recording(on: current, graph.store)
            try graph.change(transaction)
            let operations = try #require(transaction.recorded)
            let version = try #require(current.version.next)
            current = try current.with(
                transaction.snapshot().overlay, version: version, chain: current.chain)
            transaction.rollback()
            frames.append(
                Frame(
                    kind: .operations, lsn: version, durable: .zero, previous: .origin, time: 0,
                    writer: 0, operations: operations))
            try run(graph, on: current, seed: seed * 100 + UInt64(number))
        }
        try run(graph, on: Replay.apply(frames, to: root), seed: seed + 3_000_000)
        // The first commits go into pages, the others are replayed.
        let folded = try fold(Array(frames.prefix(2)), onto: root, graph.store)
        try run(graph, on: folded, seed: seed + 4_000_000)
        let rest = try Replay.apply(Array(frames.dropFirst(2)), to: folded)
        #expect(rest.version == current.version)
        try run(graph, on: rest, seed: seed + 5_000_000)
        try run(
            graph, on: fold(Array(frames.dropFirst(2)), onto: folded, graph.store),
            seed: seed + 6_000_000)
        // Versions published before are unchanged.
        #expect(
            try GraphData(current).rows(of: graph.plane) == GraphData(rest).rows(of: graph.plane))
        try run(graph, on: current, seed: seed + 7_000_000)
    }

    private func recording(on base: Snapshot, _ store: Store) -> WriteTransaction {
        WriteTransaction(store: store, base: base, isRecording: true) { () throws(StoreError) in
            OpenedPages(base: base, writer: try store.pageWriter(for: base.root))
        }
    }

    /// The version after some commits, as a root without an overlay.
    private func fold(
        _ frames: [Frame], onto root: Snapshot, _ store: Store
    ) throws -> Snapshot {
        let snapshot = try Replay.apply(frames, to: root)
        var writer = try store.pageWriter(for: root.root)
        let catalog = try Fold(base: root, overlay: #require(snapshot.overlay), store: store)
            .write(&writer)
        let change = RootChange(
            lsn: snapshot.version, chain: .origin, frames: [], hasLog: false, logGeneration: 0)
        _ = try RootPublisher(store: store, root: root.root).publish(catalog, change, writer)
        return try store.snapshot()
    }
}
