import FirnCodec
import FirnPlatform
import FirnValues

extension Store {
    /// The newest version that is on disk.
    ///
    /// Later commits, here or in other processes, do not change it.
    ///
    /// - Complexity: O(1) in the size of the data; O(operations that others committed since the last
    ///   call) while the file has a log.
    package func snapshot() throws(StoreError) -> Snapshot {
        try checkProcess()
        while true {
            if let session = state.withLock({ $0.session }) {
                if let snapshot = try session.durableSnapshot() { return snapshot }
                leave(session)
            }
            let (root, pin) = try pinNewestRoot()
            guard root.superblock.hasLog else {
                try confirmSeenRoot(root.superblock)
                return Snapshot(
                    root: root, overlay: nil, version: root.superblock.lsn, pages: pages, pin: pin)
            }
            if let session = try follow(root.superblock) {
                state.withLock { $0.session = $0.session ?? session }
            } else if let snapshot = try unattendedSnapshot(root, pin) {
                return snapshot
            }
        }
    }

    /// Makes sure that a root that another process may be committing at this moment is on disk,
    /// before anybody acts on what it says.
    func confirmSeenRoot(_ superblock: Superblock) throws(StoreError) {
        let version = superblock.rootVersion
        guard state.withLock({ $0.durableVersion }) != version, !rights.writer.isTakenHere else {
            return
        }
        do throws(PlatformError) {
            // Who is committing holds one of these. Others have synced what they wrote, or died.
            var isChanging = try file.conflictingLock(in: LockMap.writer, .shared) != nil
            if !isChanging {
                isChanging = try file.conflictingLock(in: LockMap.checkpoint, .shared) != nil
            }
            if isChanging { try file.sync(.data) }
        } catch {
            throw StoreError(error, doing: "make sure that the newest version is on disk")
        }
    }

    /// Finds the newest root and makes sure that it stays readable.
    ///
    /// Between reading the superblock and holding the pin a writer may have moved on, and the space
    /// of the root that was read may be in use again. If the root is still the newest once the pin
    /// is held, every later writer sees the pin.
    func pinNewestRoot() throws(StoreError) -> (Root, RootPin) {
        var superblock = try newestSuperblock()
        while true {
            let pin: RootPin
            do throws(PlatformError) {
                pin = try RootPin(superblock.rootVersion, in: pins)
            } catch {
                throw StoreError(error, doing: "lock the database for reading")
            }
            let newest = try newestSuperblock()
            if newest == superblock { return (try load(superblock), pin) }
            superblock = newest
        }
    }

    /// The superblock of the newest root.
    private func newestSuperblock() throws(StoreError) -> Superblock {
        let bytes = try SuperblockReading.header(of: file)
        if let seen = state.withLock({ $0.header }), seen.isSame(as: bytes) { return seen.newest }
        let newest = try SuperblockReading(bytes, path: path).newest
        state.withLock { $0.header = SeenHeader(bytes: bytes, newest: newest) }
        return newest
    }

    func load(_ superblock: Superblock) throws(StoreError) -> Root {
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
}
