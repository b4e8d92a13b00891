import FirnPlatform
package import FirnValues

/// The commits that a reader is behind, read once and handed out one by one.
///
/// To open each version by its number reads the history that holds its commit, and does again all that
/// was done since the nearest root. That takes O(n) for each of n commits, and a reader that is behind
/// falls further behind. Here a version is made of the one before it, for the price of one commit.
///
/// The snapshots that are handed out keep the root of the first of them; ``isSpent`` says when it is
/// time to open a version by its number, which has a newer one.
package final class CommitBacklog {
    private let store: Store
    /// In the order of their versions; those before ``next`` were handed out.
    private var frames: [Frame] = []
    private var next = 0

    package init(_ store: Store) { self.store = store }

    /// Whether nothing is left of what was read.
    package var isSpent: Bool { next >= frames.count }

    /// Forgets what was read.
    package func removeAll() {
        frames = []
        next = 0
    }

    /// Reads the commits after a version up to another, if none are left.
    ///
    /// - Parameters:
    ///   - last: a version that is on disk.
    package func fill(after version: LSN, through last: LSN) throws(StoreError) {
        if !isSpent, frames[next].lsn == LSN(version.rawValue + 1) { return }
        removeAll()
        do throws(StoreError) {
            frames = try store.frames(after: version, through: last)
        } catch {
            // Opening a version that is not kept fails with its own error.
            guard error.code == .versionGone else { throw error }
        }
    }

    /// The version that follows another, and what it changed.
    ///
    /// - Returns: `nil` if its commit was not read, or has no operations to do again.
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
        changes.time = recorded.time
        changes.schemaChanged = recorded.schemaChanged
        changes.classes = recorded.classes.mapValues(\.sorted).filter { !$0.value.isEmpty }
        return (new, changes)
    }
}
