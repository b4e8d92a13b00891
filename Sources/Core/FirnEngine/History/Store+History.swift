import FirnCodec
import FirnPlatform
import FirnValues

extension Store {
    /// Returns the history of a root.
    func history(of superblock: Superblock) throws(StoreError) -> History {
        try pages.history(of: superblock)
    }

    /// Returns the catalog of a root.
    func catalog(of superblock: Superblock) throws(StoreError) -> Catalog {
        guard let reference = superblock.catalog else { return Catalog() }
        let bytes = try pages.blob(reference, context: "catalog")
        return try decoding(Catalog(decoding: bytes), "the catalog", in: path)
    }

    /// Returns the commits of one blob of a history.
    func frames(of chunk: History.Chunk) throws(StoreError) -> [Frame] {
        let bytes = try pages.blob(chunk.reference, context: "history")
        let frames = try decoding(Frame.all(in: bytes), "the commits of the history", in: path)
        guard frames.first?.lsn == chunk.first, frames.last?.lsn == chunk.last,
            zip(frames, frames.dropFirst()).allSatisfy({ $0.lsn.next == $1.lsn }),
            frames.filter({ $0.kind == .root }).map(\.lsn) == chunk.barriers
        else {
            throw .corrupt(
                path,
                "the history has other commits than \(chunk.first.rawValue) to "
                    + "\(chunk.last.rawValue) at byte \(chunk.reference.byteOffset)")
        }
        return frames
    }

    /// Returns the commits after one version, up to and including another, that a root keeps.
    ///
    /// - Returns: The commits without a gap up to `last`, or none.
    func keptFrames(
        after start: LSN, through last: LSN, in history: History
    ) throws(StoreError) -> [Frame] {
        var frames: [Frame] = []
        for chunk in history.chunks where chunk.last > start && chunk.first <= last {
            frames += try self.frames(of: chunk).filter { $0.lsn > start && $0.lsn <= last }
        }
        let isWhole =
            UInt64(frames.count) == last.rawValue - min(start, last).rawValue
            && zip(frames, frames.dropFirst()).allSatisfy { $0.lsn.next == $1.lsn }
        return isWhole ? frames : []
    }
}

extension PageStore {
    /// Returns the history of a root, with its freezes.
    func history(of superblock: Superblock) throws(StoreError) -> History {
        guard let reference = superblock.history else { return History() }
        let bytes = try blob(reference, context: "history")
        return try decoding(History(decoding: bytes, for: superblock), "the history", in: file.path)
    }
}

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
            state.withLock { $0.attachment }?.log
            ?? LogFiles(store: self, generation: root.logGeneration, mode: .readOnly)
        do throws(StoreError) {
            return try log.frames(since: root, through: last)
        } catch {
            guard try readSuperblock().newest == root else { return nil }
            throw error
        }
    }
}
