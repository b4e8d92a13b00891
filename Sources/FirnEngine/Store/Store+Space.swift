import FirnCodec
import FirnPlatform

extension Store {
    /// A writer that knows which space the next root may use.
    func pageWriter(for root: Root) throws(StoreError) -> PageWriter {
        let superblock = root.superblock
        guard superblock.rootVersion < .maximum else {
            throw StoreError(.limitExceeded, path: path, detail: "no root version is left")
        }
        let endUnit =
            (superblock.fileByteCount + UInt64(Extent.unitByteCount) - 1)
            / UInt64(Extent.unitByteCount)
        var freeSpace = FreeSpace()
        if let reference = superblock.freeSpace {
            let bytes = try pages.plainBytes(reference, context: "free space")
            do throws(CodecError) {
                freeSpace = try FreeSpace(decoding: bytes, endUnit: endUnit)
            } catch {
                throw .corrupt(path, "the free space: \(error.reason)")
            }
        }
        let building = RootVersion(superblock.rootVersion.rawValue + 1)
        return PageWriter(
            file: file, fileID: superblock.fileID, level: options.compression,
            space: SpaceAllocator(
                freeSpace: freeSpace, endUnit: endUnit, building: building,
                horizon: try horizon(root, freeSpace, endUnit: endUnit)))
    }

    /// What was freed at or before this root may be written over; see ``SpaceAllocator``.
    private func horizon(
        _ root: Root, _ freeSpace: FreeSpace, endUnit: UInt64
    ) throws(StoreError) -> RootVersion {
        let current = root.superblock.rootVersion
        let pinned: RootVersion
        do throws(PlatformError) {
            pinned = try pins.oldest(through: current) ?? current
        } catch {
            throw StoreError(error, doing: "look for readers of older versions")
        }
        let previous = RootVersion(current.rawValue - min(1, current.rawValue))
        guard pinned >= current else { return min(previous, pinned) }
        if state.withLock({ $0.durableVersion }) == current { return current }
        // Whether the current root is on disk is not known: that can be had for one more sync,
        // which is worth it if much of the file waits for it.
        let waiting = freeSpace.ranges.reduce(0) { sum, range in
            range.freedAt == current ? sum &+ range.extent.length : sum
        }
        guard waiting >= endUnit / 8,
            waiting >= UInt64(options.waitingByteCountMinimum / Extent.unitByteCount)
        else { return previous }
        try Commit(store: self, root: root).confirm()
        return current
    }
}
