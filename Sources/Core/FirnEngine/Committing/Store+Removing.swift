import FirnPlatform
import FirnValues

/// The degree to which a commit or a checkpoint saves space.
enum Thrift: Hashable, Sendable {
    case none
    /// For a removal: uses the reserve, and drops the history if the disk is full.
    case some
    /// For the second attempt of a removal: also postpones all writes that can wait.
    case utmost
}

/// Commits that only remove, on a full disk; see ``DiskReserve``.
///
///     directly    1  commit into the reserve, without the history
///                 2  drop the history in a root of its own, and commit again into the space that
///                    it kept; row groups keep deleted rows
///     in a log    1  append as usual
///                 2  fold the log as above, and append again in the other segment
///                    (a commit that does not only remove is refused after this attempt)
///                 3  append into the reserve of the segment
///                 4  fold the log and remove it, unless other processes have it open; then commit
///                    directly
extension Store {
    /// Whether a failed commit is tried again with less space.
    func mayMakeRoom(
        for transaction: WriteTransaction, after error: StoreError
    ) -> Bool {
        transaction.onlyRemoves && isFullDisk(error)
    }

    private func isFullDisk(_ error: StoreError) -> Bool {
        error.code == .diskFull && state.withLock { $0.poison == nil }
    }

    /// Allows the root of a removal to use the reserve.
    ///
    /// If the disk does not have the same amount again, this root also drops the unnamed history, so
    /// that later commits find the space of removed objects and of older versions.
    func allowReserve(
        _ change: inout RootChange, fileEnd: UInt64
    ) throws(StoreError) {
        change.mayUseReserve = true
        change.keepsHistory = try keepsReserve(behind: fileEnd, twice: true)
    }

    /// Drops the unnamed history in a separate root, so that a transaction can use its space.
    func dropHistory(before transaction: WriteTransaction) throws(StoreError) {
        let base = try dropHistory(of: transaction.base)
        var writer = try pageWriter(for: base.root)
        writer.savesSpace = true
        transaction.move(to: base, writer)
    }

    /// Drops the unnamed history.
    ///
    /// - Returns: the same version on a root without history.
    private func dropHistory(of base: Snapshot) throws(StoreError) -> Snapshot {
        _ = try republish(
            base.root, as: base.root.catalog,
            loggedFreezes: base.overlay?.freezes.added.map(\.version) ?? [],
            try pageWriter(for: base.root))
        let (root, pin) = try pinNewestRoot()
        return Snapshot(
            root: root, overlay: base.overlay, version: base.version, chain: base.chain,
            pages: pages, pin: pin)
    }
}

// MARK: With a log

extension Store {
    /// The maximum wait for another process that is folding the log.
    private static let foldingWaitNanoseconds: UInt64 = 5_000_000_000

    /// Writes a frame after the tail, and folds the log first if the disk is full.
    ///
    /// - Returns: The tail that it makes; `nil` if the log was removed, and the transaction is based
    ///   on the root that has all commits of the log.
    func write(
        _ frame: Frame, of transaction: WriteTransaction, _ attachment: LogAttachment
    ) throws(StoreError) -> SharedLogState.Tail? {
        do throws(StoreError) {
            return try attachment.write(frame, of: transaction, mayUseReserve: false)
        } catch {
            guard isFullDisk(error) else { throw error }
        }
        do throws(StoreError) {
            try foldBefore(transaction, attachment)
            return try attachment.write(
                frame, of: transaction, mayUseReserve: transaction.onlyRemoves)
        } catch {
            guard mayMakeRoom(for: transaction, after: error), try tryLockSession(.exclusive)
            else { throw error }
        }
        try endLogForRemoval(attachment)
        let (root, pin) = try pinNewestRoot()
        try transaction.redo(
            on: Snapshot(of: root, pages: pages, pin: pin),
            try pageWriter(for: root))
        return nil
    }

    /// Runs code with the checkpoint lock, under the writer lock.
    private func whileNobodyFolds(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try take(
            locks.checkpoint, LockMap.checkpoint,
            waitNanoseconds: Store.foldingWaitNanoseconds, work: "folding the log",
            outlastsOwn: true)
        defer { giveBack(locks.checkpoint) }
        try body()
    }

    /// Folds the log, as far as possible on a full disk.
    private func foldBefore(
        _ transaction: WriteTransaction, _ attachment: LogAttachment
    ) throws(StoreError) {
        do throws(StoreError) {
            try whileNobodyFolds { () throws(StoreError) in
                if transaction.onlyRemoves { return try foldForRemoval(attachment) }
                if let head = try headToFold(attachment) {
                    try fold(head, attachment, endsLog: false)
                }
            }
        } catch {
            guard isFullDisk(error) else { throw error }
        }
    }

    /// Folds the log and continues in the other segment; drops the history if necessary.
    private func foldForRemoval(_ attachment: LogAttachment) throws(StoreError) {
        guard let head = try headToFold(attachment, mayUseReserve: true) else { return }
        do throws(StoreError) {
            try fold(head, attachment, endsLog: false, .some)
        } catch {
            guard isFullDisk(error) else { throw error }
            _ = try dropHistory(of: head.snapshot)
            guard let newer = try newestHeadForPages(attachment) else { return }
            try fold(newer, attachment, endsLog: false, .utmost)
        }
    }

    /// Folds the log and removes it, under the exclusive session lock; drops the history if necessary.
    private func endLogForRemoval(_ attachment: LogAttachment) throws(StoreError) {
        do throws(StoreError) {
            try whileNobodyFolds { () throws(StoreError) in
                do throws(StoreError) {
                    try foldAndRemoveLog(attachment, .some)
                } catch {
                    guard isFullDisk(error), let head = try newestHeadForPages(attachment) else {
                        throw error
                    }
                    _ = try dropHistory(of: head.snapshot)
                    try foldAndRemoveLog(attachment, .utmost)
                }
            }
        } catch {
            // The log stays, and other processes may open it again.
            _ = try? tryLockSession(.shared)
            throw error
        }
        leave(attachment)
    }
}
