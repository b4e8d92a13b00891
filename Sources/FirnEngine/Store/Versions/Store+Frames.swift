import FirnPlatform
import FirnValues

extension Store {
    /// The commits after one version up to and with another, without a gap: those that a root has
    /// from the history, the others from the log.
    ///
    /// - Throws: ``StoreError`` with `versionGone` if some of them are not kept any more.
    func frames(after start: LSN, through last: LSN) throws(StoreError) -> [Frame] {
        guard start < last else { return [] }
        while true {
            let (root, pin) = try pinNewestRoot()
            defer { withExtendedLifetime(pin) {} }
            let superblock = root.superblock
            var frames: [Frame] = []
            if start < superblock.lsn {
                frames = try keptFrames(
                    after: start, through: min(last, superblock.lsn), in: history(of: superblock))
                guard !frames.isEmpty else { throw notKept(after: start) }
            }
            guard last > superblock.lsn else { return frames }
            do throws(StoreError) {
                return frames + (try logFrames(since: superblock, after: start, through: last))
            } catch {
                // A checkpoint moved them into the history while we looked.
                let newest = try SuperblockReading.read(from: file).newest
                guard newest == superblock else { continue }
                throw error
            }
        }
    }

    private func logFrames(
        since root: Superblock, after start: LSN, through last: LSN
    ) throws(StoreError) -> [Frame] {
        let log =
            state.withLock { $0.session?.log }
            ?? LogFiles(store: self, generation: root.logGeneration, mode: .readOnly)
        return try log.frames(since: root, through: last).filter { $0.lsn > start }
    }

    private func notKept(after start: LSN) -> StoreError {
        StoreError(
            .versionGone, path: path,
            detail: "the commits after version \(start.rawValue) are not kept")
    }
}
