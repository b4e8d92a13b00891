import FirnPlatform
import FirnValues

/// The ways to commit, each of which is one function that reads from top to bottom:
///
///     commitDirectly   folds the changes into pages and flips the superblock: two syncs, and no
///                      other file
///     commitToLog      appends a frame to the log: one sync, shared with all concurrent commits
///     commitPages      for a transaction that wrote pages beside a log: a frame, then a root
///
/// The first commit of a handle is direct and the second one creates a log; once the file has a
/// log, every process uses it.
///
/// Beside each step of these functions is the state that a crash there leaves, and what becomes of
/// it. A crash is the death of the process or a loss of power. The next process that needs the state
/// settles it: a writer under the writer lock, or recovery if no process has the log open.
extension Store {
    /// Commits the changes of a transaction durably as the newest version.
    func commit(_ transaction: WriteTransaction) throws(StoreError) -> LSN {
        guard let lsn = transaction.base.version.next else {
            throw StoreError(.limitExceeded, path: path, detail: "no version number is left")
        }
        if let attachment = writableLog {
            if transaction.recorded == nil {
                return try commitPages(transaction, as: lsn, attachment)
            }
            if try commitToLog(transaction, as: lsn, attachment) { return lsn }
            // The log is gone: it had to make room on a full disk.
        }
        // A thread that found the shared memory overwritten has left the log of this transaction.
        guard !transaction.base.root.superblock.hasLog else { throw contradiction }
        return try commitDirectly(transaction, as: lsn)
    }

    /// The log that commits go to; `nil` if they are made directly.
    private var writableLog: LogAttachment? {
        state.withLock { $0.attachment }.flatMap { $0.isWriter ? $0 : nil }
    }

    /// Whether commits go to a log.
    var hasWritableLog: Bool { writableLog != nil }

    /// The time of a commit in nanoseconds since 1970.
    var nowNanoseconds: Int64 {
        let now = services.clock.wallTime()
        let (seconds, overflow) = now.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : seconds &+ Int64(now.nanoseconds)
    }
}
