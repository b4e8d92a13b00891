import FirnCodec
package import FirnPlatform
import FirnValues

/// A database under construction, under a temporary name in its destination folder.
///
/// A single rename makes it visible under its own name after everything is on disk; dropping this
/// object removes the temporary file. If the process is killed, a file `.NAME.XXXXXXXX.tmp` may
/// remain, which can be deleted safely.
package final class StoreCreation {
    /// The store of the temporary file, to be filled by transactions.
    package let store: Store
    private let path: String
    private let temporaryPath: String
    private let files: any FileSystem
    private var isSettled = false

    fileprivate init(
        store: Store, path: String, temporaryPath: String, files: any FileSystem
    ) {
        self.store = store
        self.path = path
        self.temporaryPath = temporaryPath
        self.files = files
    }

    deinit { abandon() }

    /// Gives the database its name, durably.
    ///
    /// Afterwards ``store`` behaves like a store that was opened.
    ///
    /// - Throws: ``StoreError`` with `exists` if a file of that name was created meanwhile; that
    ///   file is left untouched.
    package func publish() throws(StoreError) {
        guard !isSettled else { return }
        if let poison = store.state.withLock({ $0.poison }) { throw poison }
        do throws(PlatformError) {
            // Every commit syncs what it writes. Without a commit, the header is not synced yet.
            let last = store.state.withLock { $0.root?.superblock ?? store.firstSuperblock }
            if last.rootVersion == RootVersion(0) { try writeSecondRoot(after: last) }
            try files.rename(temporaryPath, to: path, replacing: false)
            isSettled = true
            // From here on other processes read the file, and a commit shows that it is durable by
            // its second copy.
            store.state.withLock { $0.isCreation = false }
            try files.syncDirectory(holding: path)
        } catch {
            let failure = StoreError(error, doing: "give the database its name")
            throw StoreError(
                failure.code, path: path, detail: failure.detail, remedy: failure.remedy,
                cause: error)
        }
    }

    /// Also writes an empty root to the other slot; see ``Superblock``.
    private func writeSecondRoot(after first: Superblock) throws(PlatformError) {
        var second = first
        second.rootVersion = RootVersion(1)
        second.previousChecksum = first.checksum
        for copy in second.copies {
            try store.file.write(
                second.record(copy: copy), at: Superblock.offset(ofCopy: copy))
        }
        try store.file.sync(.data)
    }

    /// Removes the temporary file.
    package func abandon() {
        guard !isSettled else { return }
        isSettled = true
        // If the file cannot be removed, it only takes up space.
        try? files.remove(temporaryPath)
    }
}

extension Store {
    /// Begins a new database at a path that does not exist yet.
    ///
    /// - Throws: ``StoreError`` with `exists`, `permissionDenied`, `diskFull`, `inputOutput`, or
    ///   `limitExceeded` if the name is too long.
    package static func create(
        _ path: String, services: SystemServices = .real, options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> StoreCreation {
        try checkName(path)
        let temporaryPath = TemporaryName.beside(path, extension: "tmp", services.entropy)
        let file: any File
        do throws(PlatformError) {
            guard try services.files.status(of: path) == nil else {
                throw PlatformError(.alreadyExists, operation: "create", path: path)
            }
            // An invalid path is detected here rather than after the load.
            guard !path.isEmpty, path.utf8.last != UInt8(ascii: "/") else {
                throw PlatformError(.notFound, operation: "create", path: path)
            }
            // Errors name the destination file.
            file = FileAlias(try services.files.open(temporaryPath, .createNew), path: path)
        } catch {
            let failure = StoreError(error, doing: "create the database")
            throw StoreError(
                failure.code, path: path, detail: failure.detail, remedy: failure.remedy,
                cause: error)
        }
        do throws(StoreError) {
            let superblock = emptySuperblock(services, options)
            try writeHeader(superblock, to: file)
            let store = Store(
                file: file, location: path, isCreation: true,
                superblock: superblock, isReadOnly: false,
                services: services,
                options: options)
            return StoreCreation(
                store: store, path: path, temporaryPath: temporaryPath, files: services.files)
        } catch {
            try? services.files.remove(temporaryPath)
            throw error
        }
    }

    /// The longest name of a database in bytes.
    ///
    /// The names of its logs are longer by `-log0`, and file systems limit a name to 255 bytes.
    package static let nameByteCountMax = 250

    /// Rejects a name that is too long for the files beside the database.
    package static func checkName(_ path: String) throws(StoreError) {
        let count = PathName.lastComponent(of: path).utf8.count
        guard count > nameByteCountMax else { return }
        throw StoreError(
            .limitExceeded, path: path, detail: "the name has \(count) bytes",
            remedy: "the name of a database may have at most \(nameByteCountMax) bytes")
    }

    private static func emptySuperblock(
        _ services: SystemServices, _ options: StoreOptions
    ) -> Superblock {
        Superblock(
            fileID: UUID(high: services.entropy.random64(), low: services.entropy.random64()),
            rowsPerGroup: UInt32(
                clamping: min(max(1, options.rowsPerGroup), RowGroup.maximumRowCount)),
            rootVersion: RootVersion(0), lsn: .zero,
            fileByteCount: UInt64(Superblock.headerByteCount), catalog: nil, freeSpace: nil,
            history: nil, chain: .origin,
            previousChecksum: 0, createdSeconds: services.clock.wallTime().seconds,
            compatibleFeatures: Superblock.bothSlotsFeature)
    }

    /// Writes root 0; the slot of root 1 stays empty until just before the file gets its name.
    ///
    /// No sync is needed, because the file has no name yet.
    private static func writeHeader(
        _ superblock: Superblock, to file: any File
    ) throws(StoreError) {
        var header = [UInt8](repeating: 0, count: Superblock.headerByteCount)
        for copy in superblock.copies {
            let start = copy * Superblock.pageByteCount
            header.replaceSubrange(
                start..<(start + Superblock.recordByteCount), with: superblock.record(copy: copy))
        }
        try attempt(file.write(header, at: 0), to: "write")
    }
}
