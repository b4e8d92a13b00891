import FirnCodec
import FirnPlatform
import FirnValues

/// The publication of a new root R + 1, which makes it durable and current.
///
/// ``publish(_:_:_:)`` has the steps and their crashes. If the process that wrote the slot of R died
/// before its step 4, step 2 also makes that slot durable, with its second copy: R - 1, whose slot
/// step 3 overwrites, is no longer needed.
///
/// That holds only if step 2 has something to write. When the sync of another process failed, the
/// kernel may show R's slot as written and clean, while the disk holds R - 2. A process that did
/// not commit R itself therefore rewrites one copy of it: the one that is not whole, if there is
/// one. If that write is torn, the other copy is unchanged.
///
/// After a failed sync the content of the disk is unknown, and another sync would wrongly report
/// success (Linux drops the dirty mark of pages that it could not write). The handle therefore
/// never writes again; the next process that opens the file decides by the checksums.
struct RootPublisher {
    let store: Store
    let root: Root

    /// Publishes a catalog whose pages have been written.
    ///
    /// Expired freezes are dropped.
    func publish(
        _ catalog: Catalog, _ change: RootChange, _ writer: consuming PageWriter
    ) throws(StoreError) -> Root {
        let old = root.superblock

        // 1. Catalog, history and free space, like the pages before them: into space that neither R
        //    nor any pinned or kept root uses.
        //    Crash: R. The space is free in the list of R.
        let new = try writeRoot(catalog, change, &writer)
        if !change.mayUseReserve { try store.requireReserve(behind: writer.fileEnd, after: old) }

        // 2. Sync: R + 1 is complete on disk, and nothing references it.
        //    Crash: R.
        try rewriteCurrentCopy()
        try sync(before: true)

        // 3. One copy of the slot that R does not use. A file under construction has no readers:
        //    before it gets its name, both copies are on disk.
        //    Crash: R if the copy is torn, R + 1 if it is whole: its pages are on disk.
        try write(new.superblock, copies: store.isCreation ? 2 : 1)

        // 4. Sync: R + 1 is durable, and may be acknowledged.
        //    Crash: R or R + 1 before the sync is complete, R + 1 after it.
        //    Failed sync: the outcome is unknown, and this handle writes no more.
        try sync(before: false)
        store.state.withLock { state in
            state.durableVersion = new.superblock.rootVersion
            if old.format != new.superblock.format { state.formerFormat = old.format }
        }

        // 5. The other copy, without a sync: it proves to every reader that R + 1 is on disk.
        //    Crash: R + 1. A reader that finds one copy syncs the file before it uses the root, and
        //    the next commit writes the other copy again.
        if !store.isCreation { writeOtherCopies(of: new.superblock) }
        return new
    }

    /// Writes everything of the new root except its superblock.
    private func writeRoot(
        _ catalog: Catalog, _ change: RootChange, _ writer: inout PageWriter
    ) throws(StoreError) -> Root {
        let old = root.superblock
        var catalog = catalog
        catalog.freezes = []
        for extent in [old.freeSpace?.extent, old.history?.extent].compactMap({ $0 }) {
            writer.space.free(extent, isBookkeeping: true)
        }
        var superblock = old
        superblock.format = FileFormat.written
        superblock.rootVersion = RootVersion(old.rootVersion.rawValue + 1)
        superblock.lsn = change.lsn
        superblock.chain = change.chain
        superblock.hasLog = change.hasLog
        superblock.logGeneration = change.logGeneration
        superblock.logSegment = change.logSegment
        superblock.catalog = try write(catalog, &writer)
        superblock.setFeature(Superblock.indexFeature, catalog.hasIndexes)
        if change.frames.contains(where: \.operations.isAnnotated) {
            superblock.incompatibleFeatures |= Superblock.annotationFeature
        }
        superblock.history = try HistoryUpdate(store: store, root: root, change: change)
            .write(&writer)
        // The free space comes last, because it lists what the others use.
        superblock.freeSpace = try writer.writeFreeSpace()
        superblock.fileByteCount = writer.space.endUnit * UInt64(Extent.unitByteCount)
        superblock.previousChecksum = old.checksum
        return Root(superblock: superblock, catalog: catalog)
    }

    /// Writes the catalog of the new root, unless it equals the catalog of the current one.
    ///
    /// Roots with the same catalog blob therefore have the same objects; see ``FreezeBases``. A
    /// compaction writes the catalog in any case, at a lower location.
    private func write(
        _ catalog: Catalog, _ writer: inout PageWriter
    ) throws(StoreError) -> PageReference {
        if let reference = root.superblock.catalog {
            guard catalog != root.catalog || writer.prefersLowest else { return reference }
            writer.space.free(reference.extent)
        }
        let bytes = try store.pages.coding(catalog.encoded())
        return try writer.write(blob: bytes)
    }

    /// Ensures that the current root is on disk, whichever process committed it.
    func confirm() throws(StoreError) {
        try rewriteCurrentCopy()
        try sync(before: true)
        store.state.withLock { $0.durableVersion = root.superblock.rootVersion }
    }

    /// Rewrites a copy of the current root so that the next sync makes it durable; see above.
    private func rewriteCurrentCopy() throws(StoreError) {
        let superblock = root.superblock
        guard store.state.withLock({ $0.durableVersion }) != superblock.rootVersion else { return }
        let reading = try store.readSuperblock()
        let damaged = superblock.copies.first { reading.copies[$0] != .valid(superblock) }
        // Two whole copies prove to readers that the root is durable, so the root itself is synced
        // first.
        if damaged != nil { try sync(before: true) }
        guard let copy = damaged ?? superblock.copies.last else { return }
        try attempt(write(superblock, copy), to: "write")
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

    /// Writes the second copy, which proves to readers that a root is on disk.
    private func writeOtherCopies(of superblock: Superblock) {
        for copy in superblock.copies.dropFirst() {
            // The commit is durable even if this write fails; the next commit repeats it.
            try? write(superblock, copy)
        }
    }

    private func write(_ superblock: Superblock, _ copy: Int) throws(PlatformError) {
        try store.file.write(superblock.record(copy: copy), at: Superblock.offset(ofCopy: copy))
    }

    private func sync(before: Bool) throws(StoreError) {
        try store.locks.dataSync.withLock { () throws(StoreError) in
            let (outcome, remedy) =
                before
                ? ("nothing was committed, a sync failed", StoreError.reopening)
                : ("whether the commit took place is unknown", StoreError.reopeningAndChecking)
            // Another thread received a failure that concerns this commit, too.
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
