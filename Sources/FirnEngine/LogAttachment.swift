import FirnPlatform
import FirnValues

/// The log of a file as this process has it open, and the newest versions that it made of it.
///
/// Writers hold the session lock, shared, for as long as their session lives; followers, who only
/// read, do not. A session ends for all when the last writer closes the log: the region says so,
/// and everybody goes back to the superblock.
final class LogAttachment: Sendable {
    /// Owns this session, which is used by nobody else: also while the store goes, when it closes the
    /// log, and a checked reference would count as gone already.
    unowned(unsafe) let store: Store
    let region: SharedLogState
    let log: LogFiles
    /// Whether this is a writer's session.
    let isWriter: Bool
    let heads = Guarded(VersionChain())
    /// What led to the version that was made last.
    let recent = Guarded(RecentCommits(after: .zero, through: .zero))
    /// How the newest version that was expected differs from the one before, as far as it was asked for.
    let prepared = Guarded<VersionChanges?>(nil)
    /// Whether those who wait for a sync stay awake for it.
    let vigils = Guarded(AdaptiveSpin())
    /// The tail as this process wrote or checked it last.
    let verifiedTail = Guarded<SharedLogState.Tail?>(nil)
    /// One thread at a time makes newer versions.
    let advancing = Lock()

    init(store: Store, region: SharedLogState, log: LogFiles, isWriter: Bool) {
        self.store = store
        self.region = region
        self.log = log
        self.isWriter = isWriter
    }
}

extension LogFiles {
    /// The log of an open database.
    convenience init(store: Store, generation: UInt64, mode: OpenMode) {
        self.init(
            generation: generation, fileID: store.pages.fileID, location: store.location,
            services: store.services, mode: mode,
            stepByteCount: store.options.logStepByteCount,
            access: (try? store.file.status())?.access)
    }
}
