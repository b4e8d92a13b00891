import FirnPlatform
package import FirnValues

/// A commit that is in the log and may not be on disk yet, as seen by a process that waits for it.
///
/// A sync takes much longer than the rest of a commit. An observer uses this time to compute the
/// effects of the commit, and publishes them as soon as the commit is durable, never before.
///
/// The states of the commit, which ``durability`` reads from the shared memory of the log:
///
///     (nothing after the newest durable version)
///        │  a writer appends a frame and moves the tail: Store.commitToLog
///        ▼
///     syncing ──────────────────────────────────────► lost
///        │  the holder of the sync lock syncs the        a sync fails in any process, or the log
///        │  frame: Store.waitForSync                     is closed, before the version is on disk
///        ▼
///     durable                                         its LSN may appear again, with the same
///        final: no later failure changes it           commit or another: always as a new value
///
/// The states of a result that an observer computes for it, a ``Prepared``:
///
///     none ──prepare──► ready ──take──► none          only if the commit is durable
///       ▲                 │ discard                   lost, superseded by a newer root, or its
///       │                 ▼                           space is needed
///       └────rebuild──  stale                         what was computed belongs to no version
///                                                     that readers see
///
/// | transition | caused by |
/// |---|---|
/// | to `syncing` | the writer, under the writer lock; ``Store/waitForVersion(after:nanoseconds:askingEvery:while:onStep:)`` notices |
/// | to `durable` | the process that syncs, with ``SharedLogState/noteSynced(_:)`` |
/// | to `lost` | a process whose sync failed, or the last one that closes the log |
/// | of a ``Prepared`` | only the observer that owns it, on its own thread |
///
/// A commit is prepared at most once per wait, and only the next one: it needs no other sync than
/// the one in progress, so an observer that is ready for it does not wait for later commits as well.
package struct PendingCommit: Sendable {
    package enum Durability: Sendable {
        /// A sync is in progress or about to begin.
        case syncing
        /// The commit and all before it are on disk.
        case durable
        /// The sync failed, or the log ended before it.
        ///
        /// The version may appear again, with the same commits or other ones.
        case lost
    }

    /// A step of a commit that a waiting observer is notified of.
    package enum Step: Sendable {
        /// The next commit is in the log. This step occurs at most once per wait.
        case appended(PendingCommit)
        /// A version at least as new as this one is on disk, though it may not be read here yet.
        ///
        /// Other threads can be woken while this one reads it.
        case durable(LSN)
    }

    /// The version after the commit.
    package let snapshot: Snapshot
    private let region: SharedLogState
    private let preparation: Guarded<Preparation>

    /// Returns the commit after a given one, if it is being synced.
    ///
    /// - Parameters:
    ///   - known: The newest version that is on disk.
    ///   - derive: Returns the next version, or `nil` if it cannot be derived right now.
    init?(
        after known: LSN, in region: SharedLogState, _ preparation: Guarded<Preparation>,
        derive: (LSN) -> Snapshot?
    ) {
        guard let next = known.next, !region.isClosed, !region.hasFailed, region.synced == known,
            let appended = region.appended, appended >= next, let snapshot = derive(next)
        else { return nil }
        self.snapshot = snapshot
        self.region = region
        self.preparation = preparation
    }

    /// The current state of the commit.
    ///
    /// It never changes again once it is ``Durability/durable``.
    ///
    /// - Complexity: O(1)
    package var durability: Durability {
        // The order matters: a version that was synced before the end is durable.
        let hasEnded = region.isClosed || region.hasFailed
        if region.synced >= snapshot.version { return .durable }
        return hasEnded ? .lost : .syncing
    }

    /// Whether the version is based on the newest root.
    ///
    /// The version then keeps no space from reuse that the newest version does not need as well.
    package var isOnNewestRoot: Bool { snapshot.root.superblock.rootVersion >= region.root }

    /// Spins for a short time, if that is worthwhile, until the commit is on disk.
    ///
    /// Never spins on the core of the committing thread, which must be free when the sync
    /// completes.
    ///
    /// - Returns: Whether the commit is on disk.
    func spinUntilDurable() -> Bool {
        guard region.appendedElsewhere, preparation.withLock({ $0.spin.begin() }) else {
            return false
        }
        let isDurable = region.watchSynced(
            through: snapshot.version, nanoseconds: AdaptiveSpin.nanoseconds)
        preparation.withLock { $0.spin.end(isDurable) }
        return isDurable
    }

    /// Keeps the changes of the commit for all observers of this process.
    ///
    /// - Parameter old: The newest version that is on disk.
    func prepareChanges(from old: Snapshot, compute: () -> VersionChanges?) {
        guard old.version < snapshot.version,
            // A large result would occupy memory for long, and its observers do not depend on a
            // short delay.
            preparation.withLock({
                $0.commits.commits(after: old.version, through: snapshot.version) != nil
            }), let changes = compute()
        else { return }
        preparation.withLock { $0.changes = changes }
    }
}
