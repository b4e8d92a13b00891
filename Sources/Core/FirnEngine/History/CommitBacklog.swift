import FirnPlatform
package import FirnValues

/// The commits that a reader has not seen yet, read once and returned one by one.
///
/// Opening a version by its number reads the history that contains its commit, and replays all
/// commits since the nearest root. That takes O(n) for each of n commits, and a reader that lags
/// would lag more and more. Here each version is derived from the previous one, for the cost of one
/// commit.
///
/// The returned snapshots keep the root of the first of them. When ``isSpent`` is true, the reader
/// opens a version by its number, which has a newer root.
package final class CommitBacklog {
    private let store: Store
    /// The commits in the order of their versions; those before ``next`` were returned.
    private var frames: [Frame] = []
    private var next = 0

    package init(_ store: Store) { self.store = store }

    /// Whether all commits that were read have been returned.
    package var isSpent: Bool { next >= frames.count }

    /// Discards the commits that were read.
    package func removeAll() {
        frames = []
        next = 0
    }

    /// Reads the commits after a version up to another, if none are left.
    ///
    /// - Parameters:
    ///   - last: A version that is on disk.
    package func fill(after version: LSN, through last: LSN) throws(StoreError) {
        if !isSpent, frames[next].lsn == LSN(version.rawValue + 1) { return }
        removeAll()
        do throws(StoreError) {
            frames = try store.frames(after: version, through: last)
        } catch {
            // Opening a version that is not kept throws its own error.
            guard error.code == .versionGone else { throw error }
        }
    }

    /// Returns the version that follows a given one, and its changes.
    ///
    /// - Returns: `nil` if its commit was not read, or has no operations to replay.
    package func step(
        from old: Snapshot
    ) throws(StoreError) -> (new: Snapshot, changes: VersionChanges)? {
        guard !isSpent, frames[next].lsn == LSN(old.version.rawValue + 1),
            frames[next].kind == .operations
        else { return nil }
        let frame = frames[next]
        next += 1
        let new = try Replay.apply([frame], to: old)
        var recorded = RecordedChanges()
        try recorded.add(frame.operations, frame.time, in: old.path)
        try ChangeConsequences(old: old, new: new).complete(&recorded)
        var changes = VersionChanges(from: old.version, to: new.version)
        changes.commit = recorded.commit
        changes.schemaChanged = recorded.schemaChanged
        changes.classes = recorded.classes.mapValues(\.sorted).filter { !$0.value.isEmpty }
        return (new, changes)
    }
}
