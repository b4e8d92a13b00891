import FirnPlatform
import FirnValues

/// The log of a file as opened by this process, and the newest versions derived from it.
///
/// A writer holds the session lock, shared, for the lifetime of its attachment; a follower, which
/// only reads, does not. All attachments end when the last writer closes the log: the region
/// records this, and every process uses the superblock again.
final class LogAttachment: Sendable {
    /// The store that owns this attachment.
    ///
    /// Only the store uses the attachment, even while it is deinitialized and closes the log. A
    /// checked reference would count as released by then.
    unowned(unsafe) let store: Store
    let region: SharedLogState
    let log: LogFiles
    /// Whether this attachment is a writer's.
    let isWriter: Bool
    let versionChain = Guarded(VersionChain())
    /// The work of this process on commits that are not on disk yet.
    let preparation = Guarded(PendingCommit.Preparation())
    /// The tail that this process last wrote or verified.
    let verifiedTail = Guarded<SharedLogState.Tail?>(nil)
    /// The newest commit that this process knows to be on disk; see ``newestDurable``.
    private let knownDurable: Guarded<LSN>
    /// Serializes the derivation of newer versions.
    let advancing = Lock()

    init(store: Store, region: SharedLogState, log: LogFiles, isWriter: Bool) {
        self.store = store
        self.region = region
        self.log = log
        self.isWriter = isWriter
        knownDurable = Guarded(region.synced)
    }

    // MARK: Durability

    /// The newest commit that is on disk, even if the shared memory was overwritten since this
    /// process read it.
    var newestDurable: LSN {
        let synced = region.synced
        return knownDurable.withLock { known in
            known = max(known, synced)
            return known
        }
    }

    /// Remembers that all commits up to one are on disk.
    func noteDurable(_ lsn: LSN) {
        knownDurable.withLock { $0 = max($0, lsn) }
    }

    /// Records in the shared memory that all commits up to one are on disk.
    func noteSynced(_ lsn: LSN) {
        noteDurable(lsn)
        region.noteSynced(lsn)
    }
}

extension LogFiles {
    /// Creates the log of an open database.
    convenience init(store: Store, generation: UInt64, mode: OpenMode) {
        self.init(
            generation: generation, fileID: store.pages.fileID, location: store.location,
            services: store.services, mode: mode,
            stepByteCount: store.options.logStepByteCount,
            access: (try? store.file.status())?.access)
    }
}
