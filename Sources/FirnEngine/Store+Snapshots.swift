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
                guard let snapshot = try session.durableSnapshot() else {
                    leave(session)
                    continue
                }
                // A thread that joins the log as a writer replaces a session that only follows it.
                if session.isWriter || isAttached(session) { return snapshot }
                continue
            }
            let (root, pin) = try pinNewestRoot()
            guard root.superblock.hasLog else {
                try confirmSeenRoot(root.superblock)
                return Snapshot(
                    root: root, overlay: nil, version: root.superblock.lsn, pages: pages, pin: pin)
            }
            if let session = try follow(root.superblock) {
                state.withLock { $0.session = $0.session ?? session }
            } else {
                try confirmSeenRoot(root.superblock)
                do throws(StoreError) {
                    let snapshot = try unattendedSnapshot(root, pin)
                    // If another thread has begun to write the log meanwhile, its session decides:
                    // it may not know yet that the newest commit of this snapshot is on disk.
                    if let snapshot, !isAttached { return snapshot }
                } catch {
                    // The root alone is what there is to save.
                    guard isSalvaging, error.code == .corrupt || error.code == .logMissing else {
                        throw error
                    }
                    return Snapshot(
                        root: root, overlay: nil, version: root.superblock.lsn, pages: pages,
                        pin: pin)
                }
            }
        }
    }

    /// Whether this handle has the log open.
    private var isAttached: Bool { state.withLock { $0.session != nil } }

    /// Whether this handle still has the log open by a session.
    private func isAttached(_ session: LogAttachment) -> Bool {
        state.withLock { $0.session === session }
    }

    /// Makes sure that a root that this handle did not commit is on disk, before anybody acts on what
    /// it says.
    ///
    /// Whoever commits writes the second copy of a root when the first one is on disk. Where it is
    /// missing, the root is being committed at this moment, or its process died, or the power went.
    func confirmSeenRoot(_ superblock: Superblock) throws(StoreError) {
        guard state.withLock({ $0.durableVersion }) != superblock.rootVersion else { return }
        let reading = try readHeader()
        // A newer root is there only since this one was on disk.
        guard reading.newest == superblock, !reading.isNewestProvenDurable else { return }
        try rights.dataSync.withLock { () throws(StoreError) in
            do throws(PlatformError) {
                try file.sync(.data)
            } catch {
                // Media that cannot be written to refuse in their own ways, and have nothing to sync.
                guard error.code == .inputOutput || error.code == .diskFull else { return }
                let failure = StoreError(
                    error, doing: "make sure that the newest version is on disk")
                // A thread of ours may be committing that root, and would not be told again.
                poison(failure)
                throw failure
            }
        }
    }

    /// Finds the newest root and makes sure that it stays readable.
    ///
    /// Between reading the superblock and holding the pin a writer may have moved on, and the space
    /// of the root that was read may be in use again. If the root is still the newest once the pin
    /// is held, every later writer sees the pin.
    func pinNewestRoot() throws(StoreError) -> (Root, RootPin) {
        var superblock = try readHeader().newest
        while true {
            let pin: RootPin
            do throws(PlatformError) {
                pin = try RootPin(superblock.rootVersion, in: pins)
            } catch {
                throw StoreError(error, doing: "lock the database for reading")
            }
            let newest = try readHeader().newest
            if newest == superblock { return (try load(superblock), pin) }
            superblock = newest
        }
    }

    /// What the header of the file says now.
    private func readHeader() throws(StoreError) -> SuperblockReading {
        let bytes = try SuperblockReading.header(of: file)
        if let seen = state.withLock({ $0.header }), seen.isSame(as: bytes) { return seen.reading }
        let found = try SuperblockReading.read(bytes, from: file, isSalvaging: toleratesLostSlot)
        state.withLock { $0.header = SeenHeader(bytes: found.header, reading: found.reading) }
        return found.reading
    }

    /// What the header of the file says now, checked in full.
    func readSuperblock() throws(StoreError) -> SuperblockReading {
        try SuperblockReading.read(from: file, isSalvaging: toleratesLostSlot)
    }

    /// A file in the making has a root in one slot until its first commit, or until it gets its name.
    private var toleratesLostSlot: Bool { isSalvaging || isCreation }

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
        let root = Root(superblock: superblock, catalog: try catalog(of: superblock))
        state.withLock { $0.root = root }
        return root
    }
}
