import FirnPlatform
import FirnValues

extension Store {
    /// Returns the newest version that is on disk.
    ///
    /// Later commits, in this process or another, do not change it.
    ///
    /// - Complexity: O(1) in the size of the data; O(operations committed by other handles since
    ///   the last call) while the file has a log.
    package func snapshot() throws(StoreError) -> Snapshot {
        try checkProcess()
        while true {
            if let attachment = state.withLock({ $0.attachment }) {
                guard let snapshot = try attachment.durableSnapshot() else {
                    leave(attachment)
                    continue
                }
                // A thread that joins the log as a writer replaces an attachment that only follows
                // it.
                if attachment.isWriter || isAttached(attachment) { return snapshot }
                continue
            }
            let (root, pin) = try pinNewestRoot()
            guard root.superblock.hasLog else {
                try confirmSeenRoot(root.superblock)
                return Snapshot(of: root, pages: pages, pin: pin)
            }
            if let attachment = try follow(root.superblock) {
                state.withLock { $0.attachment = $0.attachment ?? attachment }
            } else {
                try confirmSeenRoot(root.superblock)
                do throws(StoreError) {
                    let snapshot = try unattendedSnapshot(root, pin)
                    // If another thread has begun to write the log meanwhile, its attachment
                    // decides: it may not know yet that the newest commit of this snapshot is on
                    // disk.
                    if let snapshot, !isAttached { return snapshot }
                } catch {
                    // Only the root can be salvaged.
                    guard isSalvaging, error.code == .corrupt || error.code == .logMissing else {
                        throw error
                    }
                    return Snapshot(of: root, pages: pages, pin: pin)
                }
            }
        }
    }

    /// Whether this handle has the log open.
    private var isAttached: Bool { state.withLock { $0.attachment != nil } }

    /// Whether this handle still uses a given log attachment.
    private func isAttached(_ attachment: LogAttachment) -> Bool {
        state.withLock { $0.attachment === attachment }
    }

    /// Ensures that a root committed by another handle is on disk before its content is used.
    ///
    /// The second copy of a root is written when the first one is on disk. If it is missing, the
    /// root is being committed at this moment, its process died, or the power failed.
    func confirmSeenRoot(_ superblock: Superblock) throws(StoreError) {
        guard state.withLock({ $0.durableVersion }) != superblock.rootVersion else { return }
        let reading = try readHeader()
        // A newer root proves that this one is on disk.
        guard reading.newest == superblock, !reading.isNewestProvenDurable else { return }
        try locks.dataSync.withLock { () throws(StoreError) in
            do throws(PlatformError) {
                try file.sync(.data)
            } catch {
                // Read-only media report various errors here and have nothing to sync.
                guard error.code == .inputOutput || error.code == .diskFull else { return }
                let failure = StoreError(
                    error, doing: "make sure that the newest version is on disk")
                // A thread of this process may be committing that root, and the system reports the
                // failure only once.
                poison(failure)
                throw failure
            }
        }
    }

    /// Pins the newest root so that it stays readable.
    ///
    /// Between the read of the superblock and the pin, a writer may publish a newer root and reuse
    /// the space of the one that was read. If the root is still the newest once the pin is held,
    /// every later writer sees the pin.
    func pinNewestRoot() throws(StoreError) -> (Root, RootPin) {
        var superblock = try readHeader().newest
        while true {
            let pin = try attempt(
                RootPin(superblock.rootVersion, in: pins), to: "lock the database for reading")
            let newest = try readHeader().newest
            if newest == superblock { return (try load(superblock), pin) }
            superblock = newest
        }
    }

    /// Reads the header of the file, and verifies it only if it has changed.
    private func readHeader() throws(StoreError) -> SuperblockReading {
        let bytes = try SuperblockReading.header(of: file)
        if let seen = state.withLock({ $0.header }), seen.isSame(as: bytes) { return seen.reading }
        let found = try SuperblockReading.read(bytes, from: file, isSalvaging: toleratesLostSlot)
        state.withLock { $0.header = SeenHeader(bytes: found.header, reading: found.reading) }
        return found.reading
    }

    /// Reads the header of the file and verifies it completely.
    func readSuperblock() throws(StoreError) -> SuperblockReading {
        try SuperblockReading.read(from: file, isSalvaging: toleratesLostSlot)
    }

    /// Whether a slot may lack a root: a file under construction has a root in only one slot until
    /// its first commit or its naming.
    private var toleratesLostSlot: Bool { isSalvaging || isCreation }

    func load(_ superblock: Superblock) throws(StoreError) -> Root {
        if let root = state.withLock({ $0.root }), root.superblock == superblock { return root }
        guard superblock.fileID == pages.fileID else {
            throw .corrupt(path, "the file was replaced while it was open")
        }
        let byteCount = try attempt(file.status().size, to: "find the size of the database")
        guard byteCount >= superblock.fileByteCount else {
            throw .corrupt(
                path, "the file is cut off: \(byteCount) of \(superblock.fileByteCount) bytes")
        }
        let root = Root(superblock: superblock, catalog: try catalog(of: superblock))
        state.withLock { $0.root = root }
        return root
    }
}
