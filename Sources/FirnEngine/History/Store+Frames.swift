import FirnPlatform
import FirnValues

extension Store {
    /// Returns the commits after one version, up to and including another, without a gap.
    ///
    /// - Throws: ``StoreError`` with `versionGone` if some of the commits are no longer kept.
    func frames(after start: LSN, through last: LSN) throws(StoreError) -> [Frame] {
        guard start < last else { return [] }
        while true {
            let newest = try snapshot()
            let root = newest.root.superblock
            var frames: [Frame] = []
            if start < root.lsn {
                frames = try keptFrames(
                    after: start, through: min(last, root.lsn), in: history(of: root))
            }
            // Up to here, the pin of the root keeps the blobs of its history.
            withExtendedLifetime(newest) {}
            guard start >= root.lsn || !frames.isEmpty, last <= newest.version else {
                throw StoreError(
                    .versionGone, path: path,
                    detail:
                        "the commits from \(start.rawValue + 1) to \(last.rawValue) are not kept")
            }
            guard last > root.lsn else { return frames }
            guard let live = try liveFrames(after: root, through: last) else { continue }
            return frames + live.filter { $0.lsn > start }
        }
    }

    /// Returns the commits of the log after the newest root.
    ///
    /// - Returns: `nil` if the root is no longer the newest and the log no longer has the commits.
    func liveFrames(
        after root: Superblock, through last: LSN
    ) throws(StoreError) -> [Frame]? {
        guard last > root.lsn else { return [] }
        let log =
            state.withLock { $0.session }?.log
            ?? LogFiles(store: self, generation: root.logGeneration, mode: .readOnly)
        do throws(StoreError) {
            return try log.frames(since: root, through: last)
        } catch {
            guard try readSuperblock().newest == root else { return nil }
            throw error
        }
    }
}
