import FirnCodec
package import FirnPlatform
package import FirnValues

/// An open database file, which provides snapshots to read and transactions to write.
///
/// It is safe to use from any thread.
///
///     snapshot()    pins the newest root: pages of a pinned root are never overwritten
///     beginWrite()  takes the writer lock: one writer at a time among threads and processes
package final class Store: Sendable {
    struct State {
        /// See ``Store/isCreation``.
        var isCreation: Bool
        /// The root that was loaded last, kept so that its catalog is not read again.
        var root: Root?
        /// The header that was read last.
        var header: SeenHeader?
        /// The error that ended all writing.
        var poison: StoreError?
        /// The last root that this handle made durable; see ``RootPublisher``.
        var durableVersion: RootVersion?
        /// The log, while the file has one and this handle has it open.
        var attachment: LogAttachment?
        /// The number of commits of this handle; the second one creates a log.
        var commitCount = 0
        var isClosed = false
        /// Whether this handle has looked for files that a crash left beside the database.
        var hasLookedForOrphans = false
        /// The format of the file before a commit of this handle raised it.
        var formerFormat: UInt32?
        /// The blocks past the end of the file that this handle knows of.
        var reserve: DiskReserve?
        /// Whether the open transaction also has the checkpoint lock.
        var isTransactionAllocating = false
    }

    package let path: String
    /// The path without symbolic links, from which the names of companion files are derived.
    let location: String
    /// Whether the file is under construction and has a temporary name; no other process reads it.
    var isCreation: Bool { state.withLock { $0.isCreation } }
    let file: any File
    let pages: PageStore
    package let services: SystemServices
    let options: StoreOptions
    /// The superblock of the newest root when the file was opened.
    let firstSuperblock: Superblock
    let isReadOnly: Bool
    /// Whether a damaged file is read as far as possible, even if the latest commits may be lost.
    let isSalvaging: Bool
    let pins: PinTable
    let locks: StoreLocks
    /// The identity of this handle in the frames of the log.
    let writerToken: UInt64
    let state: Guarded<State>
    /// The thread that folds the log in the background while this handle writes.
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
            file: file, fileID: superblock.fileID, services: services, options: options)
        pins = PinTable(file: file)
        locks = StoreLocks(file: file)
        writerToken = services.entropy.random64()
    }

    deinit {
        // A caller that needs to know whether the log could be folded calls `close()` itself.
        try? close()
    }

    /// Opens an existing database without changing it.
    ///
    /// - Throws: ``StoreError`` with `missing`, `notADatabase`, `corrupt`, `formatTooNew`,
    ///   `permissionDenied` or `inputOutput`.
    package static func open(
        _ path: String, readOnly: Bool, services: SystemServices = .real,
        options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> Store {
        try open(
            path, readOnly: readOnly, isSalvaging: false, services: services, options: options)
    }

    /// Opens the readable part of a damaged database.
    ///
    /// Its newest version may be older than the last commit. If the log is unreadable, it is the
    /// newest root alone.
    ///
    /// - Throws: The same errors as ``open(_:readOnly:services:options:)``.
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
            // If only writing is denied, the error says so.
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

    /// Checks that this process opened the file.
    ///
    /// A forked child shares the open file, and with it the locks of its parent, so it must not use
    /// them.
    func checkProcess() throws(StoreError) {
        guard generation.isCurrent else {
            throw StoreError(
                .poisoned, path: path,
                detail: "the database was opened before this process was forked",
                remedy: "open it again in the child")
        }
    }

    /// The identity of the database, which differs from the identity of every other database.
    package var identity: UUID { pages.fileID }

    /// The format of the file before a commit of this handle raised it to ``FileFormat/written``;
    /// `nil` if the format was not raised.
    ///
    /// Builds that know only the former format can no longer open the file.
    package var formerFormat: UInt32? { state.withLock { $0.formerFormat } }

    /// Removes all decoded pages from memory, so that the next query reads the file.
    package func emptyPageCache() { pages.emptyCache() }

    /// Returns the file system attributes of the database file.
    package func fileStatus() throws(StoreError) -> FileStatus {
        try attempt(file.status(), to: "find the size of the database")
    }
}
