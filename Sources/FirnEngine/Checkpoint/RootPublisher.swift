import FirnCodec
import FirnPlatform
import FirnValues

/// Makes a new root durable and current.
///
///     1  pages, directory, catalog, history and free space of root R + 1, into space that neither R
///        nor any pinned or kept root uses
///     2  sync                      R + 1 is complete on disk, nothing leads to it
///     3  one copy of the slot      R + 1 exists; R's own slot is not touched
///     4  sync                      R + 1 is acknowledged
///     5  the other copy            whoever sees both knows that R + 1 is on disk
///
/// A crash before 3 leaves R; the space of 1 is free in R's free space list. A crash in 3 leaves R
/// or R + 1. Step 2 also makes R's slot durable if the process that wrote it died before its
/// step 4, and its second copy: R - 1, whose slot step 3 overwrites, is not needed any more.
///
/// That holds only if step 2 has something to write: when the sync of another process failed, the
/// kernel shows R's slot as it was written, calls it clean, and the disk holds R - 2. So whoever did
/// not commit R itself writes one copy of it again, the one that is not whole if there is one. Were
/// that torn, the other copy would still be as it is.
///
/// A failed sync leaves unknown what is on disk, and asking again would be answered with a lie
/// (Linux drops the dirty mark of pages it could not write). So the handle never writes again; the
/// next process that opens the file decides by the checksums.
struct RootPublisher {
    let store: Store
    let root: Root

    /// Publishes a catalog whose pages are written.
    ///
    /// Freezes that have expired end with that.
    func publish(
        _ catalog: Catalog, _ change: RootChange, _ writer: consuming PageWriter
    ) throws(StoreError) -> Root {
        let old = root.superblock
        var catalog = catalog
        catalog.freezes = []
        for extent in [old.freeSpace?.extent, old.history?.extent].compactMap({ $0 }) {
            writer.space.free(extent, isBookkeeping: true)
        }
        let catalogReference = try write(catalog, &writer)
        let historyReference = try HistoryUpdate(store: store, root: root, change: change)
            .write(&writer)
        let freeSpaceReference = try writer.writeFreeSpace()
        if !change.mayUseReserve { try store.requireReserve(behind: writer.fileEnd, after: old) }
        try rewriteCurrentCopy()
        try sync(before: true)
        var superblock = old
        superblock.format = FileFormat.written
        superblock.rootVersion = RootVersion(old.rootVersion.rawValue + 1)
        superblock.lsn = change.lsn
        superblock.chain = change.chain
        superblock.hasLog = change.hasLog
        superblock.logGeneration = change.logGeneration
        superblock.logSegment = change.logSegment
        superblock.catalog = catalogReference
        superblock.freeSpace = freeSpaceReference
        superblock.history = historyReference
        superblock.fileByteCount = writer.space.endUnit * UInt64(Extent.unitByteCount)
        superblock.previousChecksum = old.checksum
        // A file in the making has no readers: what gets a name has both copies on disk.
        try write(superblock, copies: store.isCreation ? 2 : 1)
        try sync(before: false)
        store.state.withLock { state in
            state.durableVersion = superblock.rootVersion
            if old.format != superblock.format { state.formerFormat = old.format }
        }
        if !store.isCreation { writeOtherCopies(of: superblock) }
        return Root(superblock: superblock, catalog: catalog)
    }

    /// Writes the catalog of the new root, unless it is that of the current one.
    ///
    /// So roots with the same catalog have the same objects; see ``FreezeBases``.
    private func write(
        _ catalog: Catalog, _ writer: inout PageWriter
    ) throws(StoreError) -> PageReference {
        if let reference = root.superblock.catalog {
            guard catalog != root.catalog || writer.prefersLowest else { return reference }
            writer.space.free(reference.extent)
        }
        let bytes = try store.pages.coding { () throws(CodecError) in try catalog.encoded() }
        return try writer.write(blob: bytes)
    }

    /// Makes sure that the current root is on disk, whoever committed it.
    func confirm() throws(StoreError) {
        try rewriteCurrentCopy()
        try sync(before: true)
        store.state.withLock { $0.durableVersion = root.superblock.rootVersion }
    }

    /// Makes sure that the next sync puts the current root on disk; see above.
    private func rewriteCurrentCopy() throws(StoreError) {
        let superblock = root.superblock
        guard store.state.withLock({ $0.durableVersion }) != superblock.rootVersion else { return }
        let reading = try store.readSuperblock()
        let damaged = superblock.copies.first { reading.copies[$0] != .valid(superblock) }
        // Readers take two whole copies as a proof: the root itself goes first.
        if damaged != nil { try sync(before: true) }
        guard let copy = damaged ?? superblock.copies.last else { return }
        do throws(PlatformError) {
            try write(superblock, copy)
        } catch {
            throw StoreError(error, doing: "write")
        }
    }

    private func write(_ superblock: Superblock, copies count: Int) throws(StoreError) {
        do throws(PlatformError) {
            for copy in superblock.copies.prefix(count) { try write(superblock, copy) }
        } catch {
            throw poison(
                StoreError(
                    .inputOutput, path: store.path,
                    detail: "whether the commit took place is unknown: \(error.reason)",
                    remedy: "open the database again: it holds either all of it or nothing",
                    cause: error))
        }
    }

    /// Says to readers that a root is on disk.
    private func writeOtherCopies(of superblock: Superblock) {
        for copy in superblock.copies.dropFirst() {
            // The commit took place whatever becomes of this; the next one makes up for it.
            try? write(superblock, copy)
        }
    }

    private func write(_ superblock: Superblock, _ copy: Int) throws(PlatformError) {
        try store.file.write(superblock.record(copy: copy), at: Superblock.offset(ofCopy: copy))
    }

    private func sync(before: Bool) throws(StoreError) {
        try store.rights.dataSync.withLock { () throws(StoreError) in
            let outcome =
                before
                ? "nothing was committed, a sync failed"
                : "whether the commit took place is unknown"
            let remedy = "this process writes no more to the database; open it again"
            // Another thread was told of a failure that concerns this commit, too.
            if let poison = store.state.withLock({ $0.poison }) {
                throw StoreError(
                    .inputOutput, path: store.path, detail: "\(outcome): \(poison.detail)",
                    remedy: remedy, cause: poison.cause)
            }
            do throws(PlatformError) {
                try store.file.sync(.data)
            } catch {
                throw poison(
                    StoreError(
                        error.code == .diskFull ? .diskFull : .inputOutput, path: store.path,
                        detail: "\(outcome): \(error.reason)", remedy: remedy, cause: error))
            }
        }
    }

    /// Ends all writing through this handle.
    private func poison(_ error: StoreError) -> StoreError {
        store.poison(error)
        return error
    }
}
