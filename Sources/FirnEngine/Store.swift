import FirnCodec
package import FirnPlatform
package import FirnValues

/// An open database file: snapshots to read, transactions to write.
///
/// Safe to use from any thread.
///
///     snapshot()    pins the newest root: pages of a pinned root are never written over
///     beginWrite()  takes the writer lock: one writer at a time among threads and processes
package final class Store: Sendable {
    struct State {
        /// See ``Store/isCreation``.
        var isCreation: Bool
        /// The root that was loaded last, to spare reading its catalog again.
        var root: Root?
        /// The header that was read last.
        var header: SeenHeader?
        /// Why nothing may be written any more.
        var poison: StoreError?
        /// The last root that this handle made durable; see ``RootPublisher``.
        var durableVersion: RootVersion?
        /// The log, while the file has one and this handle has it open.
        var session: LogAttachment?
        /// How often this handle committed: the second time it is worth to have a log.
        var commitCount = 0
        var isClosed = false
        /// Whether this handle looked for what a crash left beside the file.
        var hasLookedForOrphans = false
        /// The format that the file had before a commit of this handle raised it.
        var formerFormat: UInt32?
        /// The blocks behind the end of the file that this handle knows of.
        var reserve: DiskReserve?
        /// Whether the open transaction has the checkpoint right, too.
        var isTransactionAllocating = false
    }

    package let path: String
    /// The same file without symbolic links: what lies beside it is found by this name.
    let location: String
    /// Whether the file is only in the making and has another name than its own; nobody reads it.
    var isCreation: Bool { state.withLock { $0.isCreation } }
    let file: any File
    let pages: PageStore
    package let services: SystemServices
    let options: StoreOptions
    /// Of the root that was the newest when the file was opened.
    let firstSuperblock: Superblock
    let isReadOnly: Bool
    /// Whether what is left of a damaged file is read, though what was committed last may be lost.
    let isSalvaging: Bool
    let pins: PinTable
    let rights: StoreLocks
    /// Who commits, in the frames of the log.
    let writerToken: UInt64
    let state: Guarded<State>
    /// Folds the log in the background while this handle writes.
    let checkpointer = Guarded<Checkpointer?>(nil)
    /// The process that opened the file.
    let generation = ForkGeneration.current

    init(
        file: any File, location: String, isCreation: Bool = false, superblock: Superblock,
        isReadOnly: Bool, isSalvaging: Bool = false, services: SystemServices,
        options: StoreOptions
    ) {
        path = file.path
        self.location = location
        state = Guarded(State(isCreation: isCreation))
        self.file = file
        self.services = services
        firstSuperblock = superblock
        self.isReadOnly = isReadOnly
        self.isSalvaging = isSalvaging
        var options = options
        options.rowsPerGroup = Int(superblock.rowsPerGroup)
        options.bytesPerGroup = min(
            max(1, options.bytesPerGroup), StoreOptions.bytesPerGroupMaximum)
        self.options = options
        pages = PageStore(
            file: file, fileID: superblock.fileID, cacheByteBudget: options.cacheByteBudget)
        pins = PinTable(file: file)
        rights = StoreLocks(file: file)
        writerToken = services.entropy.random64()
    }

    deinit {
        // Whoever wants to know whether the log could be folded closes the store.
        try? close()
    }

    /// Opens an existing database.
    ///
    /// - Throws: ``StoreError`` with `missing`, `notADatabase`, `corrupt`, `formatTooNew`,
    ///   `permissionDenied` or `inputOutput`. Nothing is changed by opening.
    package static func open(
        _ path: String, readOnly: Bool, services: SystemServices = .real,
        options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> Store {
        try open(
            path, readOnly: readOnly, isSalvaging: false, services: services, options: options)
    }

    /// Opens what is left of a damaged database for reading.
    ///
    /// Its newest version may be an older one than that which was committed last, and is the newest
    /// root alone where the log cannot be read.
    ///
    /// - Throws: as ``open(_:readOnly:services:options:)``.
    package static func openForSalvage(
        _ path: String, services: SystemServices = .real
    ) throws(StoreError) -> Store {
        try open(
            path, readOnly: true, isSalvaging: true, services: services, options: StoreOptions())
    }

    private static func open(
        _ path: String, readOnly: Bool, isSalvaging: Bool, services: SystemServices,
        options: StoreOptions
    ) throws(StoreError) -> Store {
        let file: any File
        let location: String
        do throws(PlatformError) {
            file = try services.files.open(path, readOnly ? .readOnly : .readWrite)
            location = try services.files.resolvedPath(path)
        } catch {
            // Who may read and not write wants to know that it is that.
            let isRefused = error.code == .permissionDenied || error.code == .readOnlyFileSystem
            throw StoreError(
                error,
                doing: isRefused && !readOnly
                    ? "open the database for writing" : "open the database")
        }
        let superblock = try SuperblockReading.read(from: file, isSalvaging: isSalvaging).newest
        return Store(
            file: file, location: location, superblock: superblock, isReadOnly: readOnly,
            isSalvaging: isSalvaging, services: services, options: options)
    }

    /// A forked child shares the open file and so the locks of its parent: it must not use them.
    func checkProcess() throws(StoreError) {
        guard generation.isCurrent else {
            throw StoreError(
                .poisoned, path: path,
                detail: "the database was opened before this process was forked",
                remedy: "open it again in the child")
        }
    }

    /// Which database it is: other than that of every database that was made separately.
    package var identity: UUID { pages.fileID }

    /// The format that the file had before a commit of this handle raised it to
    /// ``FileFormat/written``; `nil` if it had that one already.
    ///
    /// Builds that know only the former format can no longer open the file.
    package var formerFormat: UInt32? { state.withLock { $0.formerFormat } }

    /// Statistics of the file itself.
    package func fileStatus() throws(StoreError) -> FileStatus {
        do throws(PlatformError) {
            return try file.status()
        } catch {
            throw StoreError(error, doing: "find the size of the database")
        }
    }
}
