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
            try checkFeatures(snapshot.root.superblock)
            return WriteTransaction(
                store: self, base: snapshot, writer: try pageWriter(for: snapshot.root))
        } catch {
            releaseWriter()
            throw error
        }
    }

    /// A writer must know features that a reader may ignore.
    func checkFeatures(_ superblock: Superblock) throws(StoreError) {
        guard superblock.readOnlyFeatures == 0 else {
            throw StoreError(
                .formatTooNew, path: path,
                detail: "it uses features that this build can read but not write",
                remedy: "use a newer firn")
        }
    }

    /// A file that was removed, or whose name was given to another, takes every commit and loses
    /// it when it is closed.
    func checkName() throws(StoreError) {
        guard try fileStatus().linkCount > 0 else {
            throw StoreError(
                .missing, path: path,
                detail: "the database was removed or replaced while it was open",
                remedy: "open it again")
        }
    }

    func acquireWriter(waitNanoseconds: UInt64) throws(StoreError) {
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
}
