import FirnCodec
import FirnPlatform

extension Store {
    /// How often a waiting writer looks whether the lock is free.
    private static let pollNanoseconds: UInt64 = 2_000_000

    /// Begins a transaction on the newest version.
    ///
    /// - Parameter waitNanoseconds: how long to wait for another writer before giving up.
    /// - Throws: ``StoreError`` with `lockHeld` if another writer stayed, `readOnly`, `poisoned`, and
    ///   whatever reading the root can throw.
    package func beginWrite(
        waitNanoseconds: UInt64 = 5_000_000_000
    ) throws(StoreError) -> WriteTransaction {
        guard !isReadOnly else {
            throw StoreError(.readOnly, path: path, detail: "the database is open for reading only")
        }
        try checkProcess()
        try acquireWriter(waitNanoseconds: waitNanoseconds)
        do throws(StoreError) {
            try checkName()
            let snapshot = try snapshot()
            guard snapshot.root.superblock.readOnlyFeatures == 0 else {
                throw StoreError(
                    .formatTooNew, path: path,
                    detail: "it uses features that this build can read but not write",
                    remedy: "use a newer firn")
            }
            return WriteTransaction(
                store: self, base: snapshot, writer: try pageWriter(for: snapshot.root))
        } catch {
            releaseWriter()
            throw error
        }
    }

    /// A file that was removed, or whose name was given to another, takes every commit and loses
    /// it when it is closed.
    private func checkName() throws(StoreError) {
        guard try fileStatus().linkCount > 0 else {
            throw StoreError(
                .missing, path: path,
                detail: "the database was removed or replaced while it was open",
                remedy: "open it again")
        }
    }

    private func acquireWriter(waitNanoseconds: UInt64) throws(StoreError) {
        let start = services.clock.monotonicNanoseconds()
        while try !tryAcquireWriter() {
            let waited = services.clock.monotonicNanoseconds() &- start
            guard waited < waitNanoseconds else {
                throw StoreError(
                    .lockHeld, path: path, detail: "another process is writing to the database",
                    remedy: "try again, or wait longer")
            }
            services.clock.sleep(
                nanoseconds: min(Store.pollNanoseconds, waitNanoseconds - waited))
        }
    }

    private func tryAcquireWriter() throws(StoreError) -> Bool {
        let isFree = try state.withLock { state throws(StoreError) in
            if let poison = state.poison { throw poison }
            if state.isWriting { return false }
            state.isWriting = true
            return true
        }
        guard isFree else { return false }
        do throws(PlatformError) {
            if try file.tryLock(LockMap.writer, .exclusive) { return true }
        } catch {
            state.withLock { $0.isWriting = false }
            throw StoreError(error, doing: "lock the database for writing")
        }
        state.withLock { $0.isWriting = false }
        return false
    }

    /// Ends what ``beginWrite(waitNanoseconds:)`` began.
    func releaseWriter() {
        // If the lock cannot be given back, it goes when the file is closed. A forked child that
        // drops its copy of a transaction must not take the lock from its parent.
        if generation.isCurrent { try? file.unlock(LockMap.writer) }
        state.withLock { $0.isWriting = false }
    }

    /// A writer that knows which space the next root may use.
    private func pageWriter(for root: Root) throws(StoreError) -> PageWriter {
        let superblock = root.superblock
        guard superblock.rootVersion < .maximum else {
            throw StoreError(.limitExceeded, path: path, detail: "no root version is left")
        }
        let endUnit =
            (superblock.fileByteCount + UInt64(Extent.unitByteCount) - 1)
            / UInt64(Extent.unitByteCount)
        var freeSpace = FreeSpace()
        if let reference = superblock.freeSpace {
            let bytes = try pages.plainBytes(reference, context: "free space")
            do throws(CodecError) {
                freeSpace = try FreeSpace(decoding: bytes, endUnit: endUnit)
            } catch {
                throw .corrupt(path, "the free space: \(error.reason)")
            }
        }
        let building = RootVersion(superblock.rootVersion.rawValue + 1)
        return PageWriter(
            file: file, fileID: superblock.fileID, level: options.compression,
            space: SpaceAllocator(
                freeSpace: freeSpace, endUnit: endUnit, building: building,
                horizon: try horizon(root, freeSpace, endUnit: endUnit)))
    }

    /// What was freed at or before this root may be written over; see ``SpaceAllocator``.
    private func horizon(
        _ root: Root, _ freeSpace: FreeSpace, endUnit: UInt64
    ) throws(StoreError) -> RootVersion {
        let current = root.superblock.rootVersion
        let pinned: RootVersion
        do throws(PlatformError) {
            pinned = try pins.oldest(through: current) ?? current
        } catch {
            throw StoreError(error, doing: "look for readers of older versions")
        }
        let previous = RootVersion(current.rawValue - min(1, current.rawValue))
        guard pinned >= current else { return min(previous, pinned) }
        if state.withLock({ $0.durableVersion }) == current { return current }
        // Whether the current root is on disk is not known: that can be had for one more sync,
        // which is worth it if much of the file waits for it.
        let waiting = freeSpace.ranges.reduce(0) { sum, range in
            range.freedAt == current ? sum &+ range.extent.length : sum
        }
        guard waiting >= endUnit / 8,
            waiting >= UInt64(options.waitingByteCountMinimum / Extent.unitByteCount)
        else { return previous }
        try Commit(store: self, root: root).confirm()
        return current
    }
}
