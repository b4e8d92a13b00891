import FirnPlatform
import FirnTesting
import FirnValues

@testable import FirnEngine

/// A store whose commits stay in the overlay, like those of a log, until a checkpoint folds them.
///
/// Every commit is also replayed from its record, on the version before.
final class OverlayStore {
    let store: Store
    private(set) var current: Snapshot
    /// The commits since the root that can be replayed on it.
    private(set) var frames: [Frame] = []
    /// The last published root, without an overlay: transactions learn of it when they need pages.
    private var newestRoot: Snapshot
    /// Whether the root moves on while a transaction is open.
    var movesRoots = true
    /// Commits that were operations, commits that were pages, and transactions that had to move to
    /// another root.
    private(set) var counts = (operations: 0, pages: 0, moves: 0)

    init(_ store: Store) throws {
        self.store = store
        current = try store.snapshot()
        newestRoot = current
    }

    func begin() -> WriteTransaction {
        WriteTransaction(store: store, base: current, isRecording: true) {
            [self] () throws(StoreError) in
            if movesRoots { try checkpoint(through: frames.count) }
            var base = current
            if base.root !== newestRoot.root {
                base = try Replay.apply(frames, to: newestRoot)
                counts.moves += 1
            }
            return OpenedPages(base: base, writer: try store.pageWriter(for: newestRoot.root))
        }
    }

    /// Publishes the changes of a transaction.
    ///
    /// - Parameter check: examines every snapshot that must have the same content.
    func commit(
        _ transaction: WriteTransaction, _ check: (Snapshot, String) throws -> Void
    ) throws {
        try transaction.checkOrphans()
        guard transaction.hasChanges else { return transaction.rollback() }
        let result = try transaction.snapshot()
        guard let version = current.version.next else { throw TestFailure("no version is left") }
        guard let operations = transaction.recorded else {
            let (catalog, writer) = try transaction.fold()
            try publish(catalog, version, transaction.base, writer)
            frames = []
            current = newestRoot
            counts.pages += 1
            transaction.rollback()
            return try check(current, "after a commit of pages")
        }
        let replayed = try Replay.apply(operations, to: current, version: version)
        try check(replayed, "after a replay")
        guard replayed.version == version else { throw TestFailure("replay of another version") }
        current = result.with(result.overlay, version: version, chain: replayed.chain)
        frames.append(
            Frame(
                kind: .operations, lsn: version, durable: .zero, previous: .origin, time: 0,
                writer: 0, operations: operations))
        counts.operations += 1
        transaction.rollback()
        try check(current, "after a commit of operations")
    }

    /// Folds the first commits since the root into a new root.
    func checkpoint(through count: Int) throws(StoreError) {
        let folded = try Replay.apply(Array(frames[..<count]), to: newestRoot)
        guard let overlay = folded.overlay else { return }
        var writer = try store.pageWriter(for: newestRoot.root)
        let catalog = try Fold(base: newestRoot, overlay: overlay, store: store).write(&writer)
        try publish(catalog, folded.version, newestRoot, writer)
        frames.removeFirst(count)
    }

    /// Advances to the newest root, as a reader does sooner or later.
    func invalidateCaches() throws { current = try Replay.apply(frames, to: newestRoot) }

    private func publish(
        _ catalog: Catalog, _ version: LSN, _ base: Snapshot, _ writer: consuming PageWriter
    ) throws(StoreError) {
        let change = RootChange(
            lsn: version, chain: .origin, frames: [], hasLog: false, logGeneration: 0)
        _ = try RootPublisher(store: store, root: base.root).publish(catalog, change, writer)
        newestRoot = try store.snapshot()
    }
}
