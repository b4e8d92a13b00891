import FirnCodec
import FirnPlatform
import FirnValues

extension Store {
    /// Returns a writer that knows which space the next root may use.
    func pageWriter(for root: Root) throws(StoreError) -> PageWriter {
        let superblock = root.superblock
        guard superblock.rootVersion < .maximum else {
            throw StoreError(.limitExceeded, path: path, detail: "no root version is left")
        }
        let freeSpace = try freeSpace(of: superblock)
        let history = try history(of: superblock)
        let pinned = try pinnedRoots(through: superblock.rootVersion)
        let readers = ReclamationHorizon(superblock, history: history, pinned: pinned)
        let needsFallback = try needsFallback(root, freeSpace, readers)
        return PageWriter(
            file: file, fileID: superblock.fileID, level: options.compression,
            space: SpaceAllocator(
                freeSpace: freeSpace, endUnit: superblock.endUnit,
                building: RootVersion(superblock.rootVersion.rawValue + 1),
                retained: readers.retained(withFallback: needsFallback),
                bookkeeping: readers.bookkeeping(withFallback: needsFallback)),
            history: history, pinned: pinned)
    }

    /// Whether a power loss may lead back to the root before the current one.
    ///
    /// A process that did not commit the current root does not know whether it is on disk. One more
    /// sync makes this certain, and is done if much of the file would become free.
    private func needsFallback(
        _ root: Root, _ freeSpace: FreeSpace, _ readers: ReclamationHorizon
    ) throws(StoreError) -> Bool {
        let superblock = root.superblock
        guard superblock.rootVersion > RootVersion(0) else { return false }
        if state.withLock({ $0.durableVersion }) == superblock.rootVersion { return false }
        func free(withFallback: Bool) -> UInt64 {
            freeSpace.freeByteCount(
                readers.retained(withFallback: withFallback),
                bookkeeping: readers.bookkeeping(withFallback: withFallback))
        }
        let waiting = free(withFallback: false) - free(withFallback: true)
        guard waiting >= superblock.fileByteCount / 8,
            waiting >= UInt64(options.waitingByteCountMinimum)
        else { return true }
        try RootPublisher(store: self, root: root).confirm()
        return false
    }

    /// Returns the roots that processes are reading.
    func pinnedRoots(through newest: RootVersion) throws(StoreError) -> RetainedRoots {
        try attempt(pins.all(through: newest), to: "look for readers of older versions")
    }

    /// Returns the space that a root does not use.
    func freeSpace(of superblock: Superblock) throws(StoreError) -> FreeSpace {
        guard let reference = superblock.freeSpace else { return FreeSpace() }
        let bytes = try pages.plainBytes(reference, context: "free space")
        return try decoding(
            FreeSpace(decoding: bytes, endUnit: superblock.endUnit), "the free space", in: path)
    }
}

/// The roots that may still be read while the root after the current one is built.
struct ReclamationHorizon {
    private let current: RootVersion
    private let history: History
    private let pinned: RetainedRoots

    init(_ superblock: Superblock, history: History, pinned: RetainedRoots) {
        current = superblock.rootVersion
        self.history = history
        self.pinned = pinned
    }

    /// Returns the roots that may be opened as the newest.
    ///
    /// - Parameter withFallback: Whether a power loss may lead back to the previous root.
    func bookkeeping(withFallback: Bool) -> RetainedRoots {
        var versions = [current]
        if withFallback, current.rawValue > 0 {
            versions.append(RootVersion(current.rawValue - 1))
        }
        return RetainedRoots(versions, ranges: pinned.ranges)
    }

    /// Returns the roots whose objects may be read.
    func retained(withFallback: Bool) -> RetainedRoots {
        let kept = history.roots.map(\.version) + (withFallback ? history.dropped : [])
        return RetainedRoots(kept, ranges: bookkeeping(withFallback: withFallback).ranges)
    }
}

extension Superblock {
    /// The unit after the last unit of the file.
    var endUnit: UInt64 {
        (fileByteCount + UInt64(Extent.unitByteCount) - 1) / UInt64(Extent.unitByteCount)
    }
}
