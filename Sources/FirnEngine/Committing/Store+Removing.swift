import FirnPlatform

/// How much a commit or a checkpoint does without so that it needs less space.
enum Thrift: Hashable, Sendable {
    case none
    /// For a removal: it may use the reserve, and gives up the history if the disk is full.
    case some
    /// For a removal that failed: nothing is written that could wait, either.
    case utmost
}

/// Commits that only remove, on a full disk; see ``DiskReserve``.
///
///     directly    1  into the reserve, without the history
///                 2  the history goes in a root of its own; again, into the space that it kept, and
///                    row groups keep the rows that are gone
///     in a log    1  as others
///                 2  fold the log, as directly; again, in the other segment
///                    (the second attempt of a commit that does more ends here)
///                 3  into the reserve of the segment
///                 4  fold the log and remove it, unless others have it open; then directly
extension Store {
    /// Whether a commit that failed is worth another attempt that needs less space.
    func mayMakeRoom(
        for transaction: WriteTransaction, after error: StoreError
    ) -> Bool {
        transaction.onlyRemoves && isFullDisk(error)
    }

    private func isFullDisk(_ error: StoreError) -> Bool {
        error.code == .diskFull && state.withLock { $0.poison == nil }
    }

    /// Lets the root of a removal use the reserve.
    ///
    /// If the disk has not as much again, the history that nobody named goes with this root, so that the
    /// commits after it find the space of what was removed, and that of older versions.
    func allowReserve(
        _ change: inout RootChange, fileEnd: UInt64
    ) throws(StoreError) {
        change.mayUseReserve = true
        change.keepsHistory = try keepsReserve(behind: fileEnd, twice: true)
    }

    /// Gives up the history that nobody named, in a root of its own, so that a transaction can use
    /// its space.
    func dropHistory(before transaction: WriteTransaction) throws(StoreError) {
        let base = try dropHistory(of: transaction.base)
        var writer = try pageWriter(for: base.root)
        writer.savesSpace = true
        transaction.move(to: base, writer)
    }

    /// - Returns: the same version on a root without history.
    private func dropHistory(of base: Snapshot) throws(StoreError) -> Snapshot {
        _ = try republish(
            base.root, as: base.root.catalog,
            loggedFreezes: base.overlay?.freezes.added.map(\.version) ?? [],
            try pageWriter(for: base.root))
        let (root, pin) = try pinNewestRoot()
        return Snapshot(
            root: root, overlay: base.overlay, version: base.version, pages: pages, pin: pin)
    }
}

// MARK: With a log

extension Store {
    /// How long a removal waits for who folds the log at the moment.
    private static let foldingWaitNanoseconds: UInt64 = 5_000_000_000

    /// Appends a commit; on a full disk the log is folded first, which may set space free.
    ///
    /// - Returns: whether it is appended; else the log is gone, and the transaction stands on the root
    ///   that has all of it.
    func append(
        _ frame: Frame, of transaction: WriteTransaction, _ session: LogAttachment
    ) throws(StoreError) -> Bool {
        do throws(StoreError) {
            try session.append(frame, of: transaction)
            return true
        } catch {
            guard isFullDisk(error) else { throw error }
        }
        do throws(StoreError) {
            try foldBefore(transaction, session)
            try session.append(frame, of: transaction, mayUseReserve: transaction.onlyRemoves)
            return true
        } catch {
            guard mayMakeRoom(for: transaction, after: error), try tryLockSession(.exclusive)
            else { throw error }
        }
        try endLogForRemoval(session)
        let (root, pin) = try pinNewestRoot()
        try transaction.redo(
            on: Snapshot(
                root: root, overlay: nil, version: root.superblock.lsn, pages: pages, pin: pin),
            try pageWriter(for: root))
        return false
    }

    /// Runs code with the checkpoint right, under the writer lock.
    private func whileNobodyFolds(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try take(
            rights.checkpoint, LockMap.checkpoint,
            waitNanoseconds: Store.foldingWaitNanoseconds, work: "folding the log")
        defer { giveBack(rights.checkpoint) }
        try body()
    }

    /// Folds the log, as far as that is possible on a full disk.
    private func foldBefore(
        _ transaction: WriteTransaction, _ session: LogAttachment
    ) throws(StoreError) {
        do throws(StoreError) {
            try whileNobodyFolds { () throws(StoreError) in
                if transaction.onlyRemoves { return try foldForRemoval(session) }
                if let head = try headToFold(session) {
                    try fold(head, session, endsLog: false)
                }
            }
        } catch {
            guard isFullDisk(error) else { throw error }
        }
    }

    /// Folds the log, if need be at the expense of the history, and goes on in the other segment.
    private func foldForRemoval(_ session: LogAttachment) throws(StoreError) {
        guard let head = try headToFold(session, mayUseReserve: true) else { return }
        do throws(StoreError) {
            try fold(head, session, endsLog: false, .some)
        } catch {
            guard isFullDisk(error) else { throw error }
            _ = try dropHistory(of: head.snapshot)
            guard let newer = try newestHeadForPages(session) else { return }
            try fold(newer, session, endsLog: false, .utmost)
        }
    }

    /// Folds the log and removes it, if need be at the expense of the history; under the session lock,
    /// exclusively.
    private func endLogForRemoval(_ session: LogAttachment) throws(StoreError) {
        do throws(StoreError) {
            try whileNobodyFolds { () throws(StoreError) in
                do throws(StoreError) {
                    try foldAndRemoveLog(session, .some)
                } catch {
                    guard isFullDisk(error), let head = try newestHeadForPages(session) else {
                        throw error
                    }
                    _ = try dropHistory(of: head.snapshot)
                    try foldAndRemoveLog(session, .utmost)
                }
            }
        } catch {
            // The log stays, and others may have it open again.
            _ = try? tryLockSession(.shared)
            throw error
        }
        leave(session)
    }
}
