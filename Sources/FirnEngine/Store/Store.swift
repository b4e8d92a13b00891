import FirnCodec
package import FirnPlatform
import FirnValues

/// An open database file: snapshots to read, transactions to write.
///
/// Safe to use from any thread.
///
///     snapshot()    pins the newest root: pages of a pinned root are never written over
///     beginWrite()  takes the writer lock: one writer at a time among threads and processes
package final class Store: Sendable {
    struct State {
        /// The root that was loaded last, to spare reading its catalog again.
        var root: Root?
        /// Whether a transaction of this process is open; other processes see the writer lock.
        var isWriting = false
        /// Whether a compaction of this handle goes on: its lock does not tell threads apart.
        var isCompacting = false
        /// Why nothing may be written any more.
        var poison: StoreError?
        /// The last root that this handle made durable; see ``Commit``.
        var durableVersion: RootVersion?
    }

    package let path: String
    let file: any File
    let pages: PageStore
    package let services: SystemServices
    let options: StoreOptions
    let isReadOnly: Bool
    let pins: PinTable
    let state = Guarded(State())
    /// The process that opened the file.
    let generation = ForkGeneration.current

    init(
        file: any File, superblock: Superblock, isReadOnly: Bool, services: SystemServices,
        options: StoreOptions
    ) {
        path = file.path
        self.file = file
        self.services = services
        self.isReadOnly = isReadOnly
        var options = options
        options.rowsPerGroup = Int(superblock.rowsPerGroup)
        options.bytesPerGroup = min(
            max(1, options.bytesPerGroup), StoreOptions.bytesPerGroupMaximum)
        self.options = options
        pages = PageStore(
            file: file, fileID: superblock.fileID, cacheByteBudget: options.cacheByteBudget)
        pins = PinTable(file: file)
    }

    /// Opens an existing database.
    ///
    /// - Throws: ``StoreError`` with `missing`, `notADatabase`, `corrupt`, `formatTooNew`,
    ///   `permissionDenied` or `inputOutput`. Nothing is changed by opening.
    package static func open(
        _ path: String, readOnly: Bool, services: SystemServices = .real,
        options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> Store {
        let file: any File
        do throws(PlatformError) {
            file = try services.files.open(path, readOnly ? .readOnly : .readWrite)
        } catch {
            throw StoreError(error, doing: "open the database")
        }
        let superblock = try SuperblockReading.read(from: file).newest
        return Store(
            file: file, superblock: superblock, isReadOnly: readOnly, services: services,
            options: options)
    }

    /// The newest version.
    ///
    /// Later commits, here or in other processes, do not change it.
    ///
    /// - Complexity: O(1) in the size of the data.
    package func snapshot() throws(StoreError) -> Snapshot {
        try checkProcess()
        let (root, pin) = try pinNewestRoot()
        return Snapshot(
            root: root, overlay: nil, version: root.superblock.lsn, pages: pages, pin: pin)
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

    /// Finds the newest root and makes sure that it stays readable.
    ///
    /// Between reading the superblock and holding the pin a writer may have moved on, and the space
    /// of the root that was read may be in use again. If the root is still the newest once the pin
    /// is held, every later writer sees the pin.
    func pinNewestRoot() throws(StoreError) -> (Root, RootPin) {
        var superblock = try SuperblockReading.read(from: file).newest
        while true {
            let pin: RootPin
            do throws(PlatformError) {
                pin = try RootPin(superblock.rootVersion, in: pins)
            } catch {
                throw StoreError(error, doing: "lock the database for reading")
            }
            let newest = try SuperblockReading.read(from: file).newest
            if newest == superblock { return (try load(superblock), pin) }
            superblock = newest
        }
    }

    private func load(_ superblock: Superblock) throws(StoreError) -> Root {
        if let root = state.withLock({ $0.root }), root.superblock == superblock { return root }
        guard superblock.fileID == pages.fileID else {
            throw .corrupt(path, "the file was replaced while it was open")
        }
        let byteCount: UInt64
        do throws(PlatformError) {
            byteCount = try file.status().size
        } catch {
            throw StoreError(error, doing: "find the size of the database")
        }
        guard byteCount >= superblock.fileByteCount else {
            throw .corrupt(
                path, "the file is cut off: \(byteCount) of \(superblock.fileByteCount) bytes")
        }
        var catalog = Catalog()
        if let reference = superblock.catalog {
            let bytes = try pages.blob(reference, context: "catalog")
            do throws(CodecError) {
                catalog = try Catalog(decoding: bytes)
            } catch {
                throw .corrupt(path, "the catalog: \(error.reason)")
            }
        }
        let root = Root(superblock: superblock, catalog: catalog)
        state.withLock { $0.root = root }
        return root
    }

    /// Statistics of the file itself.
    package func fileStatus() throws(StoreError) -> FileStatus {
        do throws(PlatformError) {
            return try file.status()
        } catch {
            throw StoreError(error, doing: "find the size of the database")
        }
    }
}
