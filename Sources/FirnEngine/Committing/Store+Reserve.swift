import FirnPlatform

extension Store {
    private func reserveByteCount(behind end: UInt64) -> UInt64 {
        DiskReserve.byteCount(ofFile: end, minimum: options.reserveByteCountMinimum)
    }

    /// Makes sure that the reserve stands behind an end of the file.
    ///
    /// Who commits repeatedly keeps as much again, so that few commits ask the system.
    ///
    /// - Parameter twice: whether as much again must be there.
    /// - Returns: whether it does, or there is none on this file system.
    /// - Throws: ``StoreError`` for what else than a full disk the system says.
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

    /// Makes sure that a commit leaves the reserve.
    ///
    /// - Parameter old: the root before.
    /// - Throws: ``StoreError`` with `diskFull` if the file became longer and the disk is too full.
    func requireReserve(behind end: UInt64, after old: Superblock) throws(StoreError) {
        guard end > old.fileByteCount, try !keepsReserve(behind: end) else { return }
        throw onlyReserveLeft
    }

    /// Makes sure that a log can be folded and leaves the reserve.
    ///
    /// - Parameters:
    ///   - root: the newest root that is known.
    ///   - logByteCount: bytes of the log that no root has. Another step of the log is thought of at
    ///     once, so that few commits ask the system.
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

    /// Makes the reserve again after the file was truncated.
    func renewReserve(behind end: UInt64) {
        state.withLock { $0.reserve = nil }
        // Without it nothing is wrong yet, and the next commit that needs it asks again.
        _ = try? keepsReserve(behind: end)
    }

    /// Makes the reserve again when a log was removed, and gives back what was kept for the log; under
    /// the writer lock and the session lock, exclusively.
    func settleReserve(behind end: UInt64) {
        let known = state.withLock { $0.reserve }
        if let known, known != .unsupported,
            known.covers(2 * reserveByteCount(behind: end) + 1, behind: end),
            let size = try? file.status().size
        {
            // To the size that it has: what lies behind the end is given back, and nothing else.
            try? file.truncate(to: size)
        }
        renewReserve(behind: end)
    }
}
