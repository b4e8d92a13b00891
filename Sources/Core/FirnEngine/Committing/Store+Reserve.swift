import FirnPlatform
import FirnValues

extension Store {
    private func reserveByteCount(behind end: UInt64) -> UInt64 {
        DiskReserve.byteCount(ofFile: end, minimum: options.reserveByteCountMinimum)
    }

    /// Makes sure that the reserve after an end of the file is allocated.
    ///
    /// A handle that commits repeatedly allocates twice as much, so that few commits call the system.
    ///
    /// - Parameter twice: whether twice the reserve is required.
    /// - Returns: `false` if the disk is too full; `true` also on file systems without reserve.
    /// - Throws: ``StoreError`` for other errors of the system.
    func keepsReserve(behind end: UInt64, twice: Bool = false) throws(StoreError) -> Bool {
        let byteCount = (twice ? 2 : 1) * reserveByteCount(behind: end)
        let isFirst = state.withLock { $0.reserve == nil }
        return try keeps(byteCount, orBetter: isFirst ? byteCount : 2 * byteCount, behind: end)
    }

    private func keeps(
        _ byteCount: UInt64, orBetter better: UInt64, behind end: UInt64
    ) throws(StoreError) -> Bool {
        if let known = state.withLock({ $0.reserve }), known.covers(byteCount, behind: end) {
            return true
        }
        if try reserve(better, behind: end) { return true }
        guard better > byteCount else { return false }
        return try reserve(byteCount, behind: end)
    }

    private func reserve(
        _ byteCount: UInt64, behind end: UInt64
    ) throws(StoreError) -> Bool {
        var reserve = DiskReserve(fileEnd: end, end: end + byteCount)
        do throws(PlatformError) {
            if try !file.reserve(from: end, byteCount: byteCount) { reserve = .unsupported }
        } catch {
            guard error.code == .diskFull else {
                throw StoreError(error, doing: "keep space for deletions")
            }
            return false
        }
        state.withLock { $0.reserve = reserve }
        return true
    }

    /// Makes sure that a commit leaves the reserve intact.
    ///
    /// - Parameter old: the root before the commit.
    /// - Throws: ``StoreError`` with `diskFull` if the file became longer and the disk is too full.
    func requireReserve(behind end: UInt64, after old: Superblock) throws(StoreError) {
        guard end > old.fileByteCount, try !keepsReserve(behind: end) else { return }
        throw onlyReserveLeft
    }

    /// Makes sure that a log can be folded without using the reserve.
    ///
    /// - Parameters:
    ///   - root: the newest known root.
    ///   - logByteCount: the bytes of the log that are not folded yet. One more step of the log is
    ///     allocated at the same time, so that few commits call the system.
    /// - Throws: ``StoreError`` with `diskFull` if the disk is too full, and the file has too little
    ///   free space inside.
    func requireReserve(
        behind root: Root, forLog logByteCount: UInt64
    ) throws(StoreError) {
        let end = root.superblock.fileByteCount
        let pages = DiskReserve.byteCount(ofLog: logByteCount)
        let byteCount = reserveByteCount(behind: end) + pages
        let better = byteCount + DiskReserve.byteCount(ofLog: options.logStepByteCount)
        if try keeps(byteCount, orBetter: better, behind: end) { return }
        guard try pageWriter(for: root).space.usableByteCount < pages else { return }
        throw onlyReserveLeft
    }

    private var onlyReserveLeft: StoreError {
        StoreError(
            .diskFull, path: path,
            detail: "could not write: no space left on the disk but what is kept for deletions",
            remedy: "make room on the disk, or delete objects, and try again")
    }

    /// Allocates the reserve again after the file was truncated.
    func renewReserve(behind end: UInt64) {
        state.withLock { $0.reserve = nil }
        // A failure is harmless: the next commit that needs the reserve tries again.
        _ = try? keepsReserve(behind: end)
    }

    /// Releases the blocks for a removed log, and allocates the reserve again.
    ///
    /// Called under the writer lock and the exclusive session lock.
    func settleReserve(behind end: UInt64) {
        let known = state.withLock { $0.reserve }
        if let known, known != .unsupported,
            known.covers(2 * reserveByteCount(behind: end) + 1, behind: end),
            let size = try? file.status().size
        {
            // Truncating to the current size releases only the blocks after the end.
            try? file.truncate(to: size)
        }
        renewReserve(behind: end)
    }
}
