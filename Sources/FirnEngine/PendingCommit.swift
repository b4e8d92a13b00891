import FirnValues

/// A version whose commits are in the log and are being synced.
///
/// An observer can do most of the work for the version during the sync. The result must not be
/// published before ``fate`` is ``Fate/durable``.
package struct PendingCommit: Sendable {
    package enum Fate: Sendable {
        /// A sync is in progress or about to begin.
        case underWay
        /// All commits of the version are on disk.
        case durable
        /// The log ended before the sync.
        ///
        /// The version may appear again, with the same commits or other ones.
        case lost
    }

    package let snapshot: Snapshot
    private let region: SharedLogState

    init(snapshot: Snapshot, region: SharedLogState) {
        self.snapshot = snapshot
        self.region = region
    }

    /// The current state of the commit.
    ///
    /// It never changes again once it is ``Fate/durable``.
    ///
    /// - Complexity: O(1)
    package var fate: Fate {
        // The order matters: a version that was synced before the end is durable.
        let hasEnded = region.isClosed || region.hasFailed
        if region.synced >= snapshot.version { return .durable }
        return hasEnded ? .lost : .underWay
    }

    /// Whether the version is based on the newest root.
    ///
    /// The version then keeps no space from reuse that the newest version does not need as well.
    package var isOnNewestRoot: Bool { snapshot.root.superblock.rootVersion >= region.root }
}
