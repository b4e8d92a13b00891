import FirnPlatform
import FirnValues

/// The space that older versions and readers keep from being reused, as seen from one root.
struct SpaceUsage {
    let history: History
    let freeSpace: FreeSpace
    private let current: RootVersion
    private let pinned: RetainedRoots
    /// The root that each version with a live freeze needs.
    private var bases: [LSN: RootVersion] = [:]
    /// The number of live freezes that need each of these roots.
    private var freezeCounts: [RootVersion: Int] = [:]
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
        let frozen = try newest.frozenVersions(at: now).filter { $0.version < superblock.lsn }
        for (frozen, base) in zip(frozen, history.bases(for: frozen.map(\.version))) {
            guard let base else { continue }
            bases[frozen.version] = base.version
            freezeCounts[base.version, default: 0] += frozen.freezeCount
        }
    }

    /// The size in bytes of the history: the chunks of commits, and the pages that only unnamed
    /// versions need.
    var historyByteCount: UInt64 {
        historyPageByteCount + history.chunks.reduce(0) { $0 + $1.reference.extent.byteCount }
    }

    /// The size in bytes of the pages that only unnamed versions need.
    var historyPageByteCount: UInt64 {
        let frozen = Array(bases.values)
        let unnamed = Set(history.roots.map(\.version)).subtracting(frozen)
        return freeSpace.heldByteCount(
            by: RetainedRoots(Array(unnamed)),
            besides: RetainedRoots(frozen + fallback, ranges: pinned.ranges))
    }

    /// The size in bytes of the pages that only the live freeze of a version needs.
    ///
    /// The size is zero if the freeze shares its root with other freezes.
    ///
    /// - Complexity: O((freezes + ranges) · log freezes)
    var freezeByteCounts: [LSN: UInt64] {
        let counts = freeSpace.soleByteCounts(
            of: RetainedRoots(history.roots.map(\.version)),
            besides: RetainedRoots(fallback, ranges: pinned.ranges))
        return bases.mapValues { freezeCounts[$0] == 1 ? counts[$0] ?? 0 : 0 }
    }

    /// Returns the size in bytes of the pages that only readers of a root need.
    func byteCount(ofReaders version: RootVersion) -> UInt64 {
        freeSpace.heldByteCount(
            by: RetainedRoots([version]),
            besides: RetainedRoots(
                history.roots.map(\.version) + fallback, ranges: pinned.removing(version).ranges))
    }

    /// The roots before the current one that are being read, up to the limit of a report.
    var readRoots: [RootVersion] {
        pinned.ranges.flatMap { range in
            range.prefix(SpaceUsage.readerCountMaximum).map { RootVersion($0) }
        }
    }

    /// The number of roots per lock range that a report lists individually.
    private static let readerCountMaximum = 1000

    /// The size in bytes of the space that the next root may overwrite.
    var freeByteCount: UInt64 {
        let openable = RetainedRoots([current] + fallback, ranges: pinned.ranges)
        let kept = history.roots.map(\.version) + (fallback.isEmpty ? [] : history.dropped)
        return freeSpace.freeByteCount(
            RetainedRoots(kept, ranges: openable.ranges), bookkeeping: openable)
    }
}
