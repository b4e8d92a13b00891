import FirnPlatform
import FirnValues

extension Store {
    /// The time for which a transaction waits for other writers, unless its caller specifies
    /// another.
    package static let writerWaitNanoseconds: UInt64 = 5_000_000_000

    /// Begins a transaction on the newest version.
    ///
    /// - Parameter waitNanoseconds: The time to wait for other writers, and for a checkpoint if the
    ///   log is full.
    /// - Throws: ``StoreError`` with `lockHeld` if another writer kept the lock, `readOnly`,
    ///   `poisoned`, `missing` if the file was moved or replaced, and the errors of reading the
    ///   root.
    package func beginWrite(
        waitNanoseconds: UInt64 = Store.writerWaitNanoseconds
    ) throws(StoreError) -> WriteTransaction {
        guard !isReadOnly else {
            throw StoreError(.readOnly, path: path, detail: "the database is open for reading only")
        }
        try checkProcess()
        try makeRoomInLog(waitNanoseconds: waitNanoseconds)
        try acquireWriter(waitNanoseconds: waitNanoseconds)
        do throws(StoreError) {
            try checkName()
            let base = try writingBase()
            try checkFeatures(base.root.superblock)
            return WriteTransaction(store: self, base: base, isRecording: isRecording) {
                () throws(StoreError) in
                try self.openPages(for: base, waitNanoseconds: waitNanoseconds)
            }
        } catch {
            releaseWriter()
            throw error
        }
    }

    /// Checks that this build knows the features that a reader may ignore but a writer must know.
    func checkFeatures(_ superblock: Superblock) throws(StoreError) {
        guard superblock.readOnlyFeatures & ~Superblock.indexFeature == 0 else {
            throw StoreError(
                .formatTooNew, path: path,
                detail: "it uses features that this build can read but not write",
                remedy: "use a newer firn")
        }
    }

    /// Whether a log or the history needs the operations of a commit.
    private var isRecording: Bool {
        options.logging != .never || !options.history.isOff
            || state.withLock { $0.attachment?.isWriter ?? false }
    }

    /// Returns the version that the next commit follows, durable or not, under the writer lock.
    func writingBase() throws(StoreError) -> Snapshot {
        while true {
            if let attachment = state.withLock({ $0.attachment }), attachment.isWriter {
                // The log was ended, or recovered by another process after a failed sync.
                if attachment.region.isClosed {
                    leave(attachment)
                    continue
                }
                if attachment.region.hasFailed { throw poisonAfterFailedSync() }
                try attachment.settleChangedRoot()
                try attachment.settleChangedSegment()
                guard let head = try attachment.newestHead() else {
                    leave(attachment)
                    continue
                }
                return head.snapshot
            }
            let (root, pin) = try pinNewestRoot()
            // The check comes before any recovery or removal, because these write as well.
            try checkFeatures(root.superblock)
            guard root.superblock.hasLog else {
                try removeOrphanedFiles(root)
                return Snapshot(of: root, pages: pages, pin: pin)
            }
            try join(root)
        }
    }

    /// Checks that the path used to open the database still refers to the file.
    ///
    /// A file that was removed, or whose name was given to another file, would accept commits and
    /// lose them when it is closed.
    ///
    /// - Throws: ``StoreError`` with `missing` if the path refers to another file or none.
    package func checkName() throws(StoreError) {
        let status = try fileStatus()
        guard status.linkCount > 0 else { throw lostName("removed or replaced") }
        guard !isCreation else { return }
        let named = try attempt(
            services.files.status(of: location), to: "look whether the database is still there")
        guard named?.identity == status.identity else { throw lostName("moved or replaced") }
    }

    private func lostName(_ what: String) -> StoreError {
        StoreError(
            .missing, path: path, detail: "the database was \(what) while it was open",
            remedy: "open it again under its name")
    }

    func acquireWriter(waitNanoseconds: UInt64) throws(StoreError) {
        try checkWritable()
        try take(
            locks.writer, LockMap.writer, waitNanoseconds: waitNanoseconds,
            work: "writing to the database")
        try attempt(checkWritable(), onFailure: { _ in releaseWriter() })
    }

    /// Checks that this handle may still write.
    func checkWritable() throws(StoreError) {
        let (poison, isClosed) = state.withLock { ($0.poison, $0.isClosed) }
        if let poison { throw poison }
        guard !isClosed else {
            throw StoreError(.poisoned, path: path, detail: "the database was closed")
        }
    }

    /// Returns space for the pages of a transaction, and the newest root, under the writer lock.
    ///
    /// The checkpoint lock that this takes is released together with the writer lock.
    func openPages(
        for base: Snapshot, waitNanoseconds: UInt64
    ) throws(StoreError) -> OpenedPages {
        guard let attachment = state.withLock({ $0.attachment }), attachment.isWriter else {
            // See commit(_:).
            guard !base.root.superblock.hasLog else { throw contradiction }
            return OpenedPages(base: base, writer: try pageWriter(for: base.root))
        }
        try take(
            locks.checkpoint, LockMap.checkpoint, waitNanoseconds: waitNanoseconds,
            work: "folding the log", outlastsOwn: true)
        state.withLock { $0.isTransactionAllocating = true }
        guard let head = try newestHeadForPages(attachment) else {
            throw StoreError(.inputOutput, path: path, detail: "the log was closed")
        }
        return OpenedPages(
            base: head.snapshot, writer: try pageWriter(for: head.snapshot.root))
    }

    /// Releases the locks of ``beginWrite(waitNanoseconds:)``.
    func releaseWriter() {
        let isAllocating = state.withLock { state in
            defer { state.isTransactionAllocating = false }
            return state.isTransactionAllocating
        }
        if isAllocating { giveBack(locks.checkpoint) }
        giveBack(locks.writer)
    }

    /// Ends all writing through this handle.
    func poison(_ error: StoreError) {
        let attachment = state.withLock { state in
            state.poison =
                state.poison
                ?? StoreError(
                    .poisoned, path: path, detail: "an earlier write failed (\(error.detail))",
                    remedy: "open the database again", cause: error.cause)
            return state.attachment
        }
        // Other processes may recover the log while this handle still reads.
        if let attachment, attachment.isWriter { try? file.unlock(LockMap.session) }
    }

    /// Poisons this handle after a sync failed in another process.
    ///
    /// The frames that the other process appended may be lost, and this process may have built on
    /// them.
    func poisonAfterFailedSync() -> StoreError {
        let error = StoreError(
            .poisoned, path: path, detail: "a sync of the log failed in another process",
            remedy: "open the database again")
        poison(error)
        return error
    }
}
