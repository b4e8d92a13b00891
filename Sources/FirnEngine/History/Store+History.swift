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
        do throws(CodecError) {
            return try Catalog(decoding: bytes)
        } catch {
            throw .corrupt(path, "the catalog: \(error.reason)")
        }
    }

    /// Returns the commits of one blob of a history.
    func frames(of chunk: History.Chunk) throws(StoreError) -> [Frame] {
        let bytes = try pages.blob(chunk.reference, context: "history")
        let frames: [Frame]
        do throws(CodecError) {
            frames = try Frame.all(in: bytes)
        } catch {
            throw .corrupt(path, "the commits of the history: \(error.reason)")
        }
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
        do throws(CodecError) {
            return try History(decoding: bytes, for: superblock)
        } catch {
            throw .corrupt(file.path, "the history: \(error.reason)")
        }
    }
}
