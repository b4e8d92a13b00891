import FirnCodec
package import FirnPlatform
import FirnValues

/// A database in the making, under a temporary name in the folder where it is to stand.
///
/// It becomes visible under its own name by one rename, after everything is on disk; dropping it
/// removes the temporary file. If the process is killed, a file `.NAME.XXXXXXXX.tmp` may stay
/// behind, which nothing depends on.
package final class StoreCreation {
    /// The store of the temporary file; fill it with transactions.
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
    /// From then on ``store`` is like one that was opened.
    ///
    /// - Throws: ``StoreError`` with `exists` if something of that name came into being meanwhile;
    ///   it is not touched.
    package func publish() throws(StoreError) {
        guard !isSettled else { return }
        if let poison = store.state.withLock({ $0.poison }) { throw poison }
        do throws(PlatformError) {
            // Commits synced what they wrote; without one nobody synced the header.
            let last = store.state.withLock { $0.root?.superblock ?? store.firstSuperblock }
            if last.rootVersion == RootVersion(0) { try writeSecondRoot(after: last) }
            try files.rename(temporaryPath, to: path, replacing: false)
            isSettled = true
            // Others read it from here on, and a commit shows that it is on disk by its second copy.
            store.state.withLock { $0.isCreation = false }
            try files.syncDirectory(holding: path)
        } catch {
            let failure = StoreError(error, doing: "give the database its name")
            throw StoreError(
                failure.code, path: path, detail: failure.detail, remedy: failure.remedy,
                cause: error)
        }
    }

    /// Gives the other slot a root, too, with nothing in it either; see ``Superblock``.
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
        // Nothing depends on the file: if it cannot be removed, it only takes space.
        try? files.remove(temporaryPath)
    }
}

extension Store {
    /// Begins a new database at a path where nothing stands yet.
    ///
    /// - Throws: ``StoreError`` with `exists`, `permissionDenied`, `diskFull`, `inputOutput`, and
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
            // Found out now rather than after the load.
            guard !path.isEmpty, path.utf8.last != UInt8(ascii: "/") else {
                throw PlatformError(.notFound, operation: "create", path: path)
            }
            // Errors name the file that is to be.
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

    /// How long the name of a database may be: those of its logs are longer by `-log0`, and no file
    /// has a name of more than 255 bytes.
    package static let nameByteCountMax = 250

    /// Refuses a name that the files beside a database could not have.
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

    /// Root 0, and nothing in the slot of root 1, which is written before the file gets its name.
    ///
    /// No sync: the file has no name yet.
    private static func writeHeader(
        _ superblock: Superblock, to file: any File
    ) throws(StoreError) {
        var header = [UInt8](repeating: 0, count: Superblock.headerByteCount)
        for copy in superblock.copies {
            let start = copy * Superblock.pageByteCount
            header.replaceSubrange(
                start..<(start + Superblock.recordByteCount), with: superblock.record(copy: copy))
        }
        do throws(PlatformError) {
            try file.write(header, at: 0)
        } catch {
            throw StoreError(error, doing: "write")
        }
    }
}
