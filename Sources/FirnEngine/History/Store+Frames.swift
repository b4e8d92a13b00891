import FirnPlatform
import FirnValues

extension Store {
    /// The commits after one version up to and with another, without a gap.
    ///
    /// - Throws: ``StoreError`` with `versionGone` if some of them are not kept any more.
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
            // Until here the pin of the root kept what its history leads to.
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

    /// The commits that the log has after the newest root.
    ///
    /// - Returns: `nil` if the root is not the newest any more and took the log with it.
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
