import FirnPlatform
import FirnValues

/// Who keeps the space of older versions of a root.
struct SpaceAccounts {
    let history: History
    let freeSpace: FreeSpace
    private let current: RootVersion
    private let pinned: RetainedRoots
    /// The root that each live freeze needs, by its name.
    private var bases: [String: RootVersion] = [:]
    private let fallback: [RootVersion]

    init(_ store: Store, _ newest: Snapshot) throws(StoreError) {
        let superblock = newest.root.superblock
        current = superblock.rootVersion
        history = try store.history(of: superblock)
        freeSpace = try store.freeSpace(of: superblock)
        pinned = try store.pinnedRoots(through: current).removing(current)
        let isDurable = store.state.withLock { $0.durableVersion } == current
        fallback = isDurable || current.rawValue == 0 ? [] : [RootVersion(current.rawValue - 1)]
        let now = store.services.clock.wallTime().seconds
        for freeze in newest.catalog.freezes
        where !freeze.isExpired(at: now) && freeze.version < superblock.lsn {
            bases[freeze.name] = history.base(for: freeze.version)?.version
        }
    }

    /// Bytes of frames and of pages that only versions without a name need.
    var historyByteCount: UInt64 {
        historyPageByteCount + history.chunks.reduce(0) { $0 + $1.reference.extent.byteCount }
    }

    /// Bytes of pages that only versions without a name need.
    var historyPageByteCount: UInt64 {
        let frozen = Array(bases.values)
        let unnamed = Set(history.roots.map(\.version)).subtracting(frozen)
        return freeSpace.heldByteCount(
            by: RetainedRoots(Array(unnamed)),
            besides: RetainedRoots(frozen + fallback, ranges: pinned.ranges))
    }

    /// Bytes that only this freeze needs.
    func byteCount(of freeze: Freeze) -> UInt64 {
        guard let base = bases[freeze.name] else { return 0 }
        guard !bases.contains(where: { $0.key != freeze.name && $0.value == base }) else {
            return 0
        }
        let others = history.roots.map(\.version).filter { $0 != base }
        return freeSpace.heldByteCount(
            by: RetainedRoots([base]),
            besides: RetainedRoots(others + fallback, ranges: pinned.ranges))
    }

    /// Bytes that only readers of a root need.
    func byteCount(ofReaders version: RootVersion) -> UInt64 {
        freeSpace.heldByteCount(
            by: RetainedRoots([version]),
            besides: RetainedRoots(
                history.roots.map(\.version) + fallback, ranges: pinned.removing(version).ranges))
    }

    /// The roots before the current one that somebody reads; not more than a report can name.
    var readRoots: [RootVersion] {
        pinned.ranges.flatMap { range in
            range.prefix(SpaceAccounts.readerCountMaximum).map { RootVersion($0) }
        }
    }

    /// Locks over very many roots are not listed one by one.
    private static let readerCountMaximum = 1000

    /// Bytes that may be written over when the next root is built.
    var freeByteCount: UInt64 {
        let openable = RetainedRoots([current] + fallback, ranges: pinned.ranges)
        let kept = history.roots.map(\.version) + (fallback.isEmpty ? [] : history.dropped)
        return freeSpace.freeByteCount(
            RetainedRoots(kept, ranges: openable.ranges), bookkeeping: openable)
    }
}
