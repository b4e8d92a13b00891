import FirnValues

/// A version whose commits are in the log and on their way to the disk.
///
/// Whoever follows the data can do most of the work for it while the disk does its own. None of that
/// may be shown to anybody before ``fate`` says that the version is durable.
package struct PendingCommit: Sendable {
    package enum Fate: Sendable {
        /// A sync is on its way, or nobody is about to make one.
        case underWay
        /// All of it is on disk.
        case durable
        /// The log ended before that. The version may come again, with the same commits or others.
        case lost
    }

    package let snapshot: Snapshot
    private let region: SharedLogState

    init(snapshot: Snapshot, region: SharedLogState) {
        self.snapshot = snapshot
        self.region = region
    }

    /// What became of it.
    ///
    /// Once it is ``Fate/durable`` it stays so.
    ///
    /// - Complexity: O(1)
    package var fate: Fate {
        // In this order: what was synced before the end is durable.
        let hasEnded = region.isClosed || region.hasFailed
        if region.synced >= snapshot.version { return .durable }
        return hasEnded ? .lost : .underWay
    }

    /// Whether no checkpoint has made a newer root since: then it keeps no space from being used again
    /// that the newest version does not need, too.
    package var isOnNewestRoot: Bool { snapshot.root.superblock.rootVersion >= region.root }
}
