import FirnCodec
import FirnPlatform
import FirnValues

/// A writer of pages for the root that a transaction builds, into space that no other root uses.
///
/// Its pages are not visible before the superblock changes. Dropping the writer also drops the
/// claim of the transaction on the space: the next one starts from the free space of the root.
struct PageWriter {
    let file: any File
    let fileID: UUID
    var level: CompressionLevel
    var space: SpaceAllocator
    /// Whether pages are placed as near to the beginning of the file as possible.
    var prefersLowest = false
    /// Whether to write as little as possible, although later reads and commits then have more
    /// work.
    var savesSpace = false
    /// The history of the root that the new one follows.
    var history = History()
    /// The roots that processes read.
    var pinned = RetainedRoots()

    /// Writes pages consecutively, so that the columns of an object can be read together.
    mutating func write(_ pages: [EncodedPage]) throws(StoreError) -> [PageReference] {
        let lengths = pages.map { Extent.units(forBytes: $0.byteCount) }
        let total = lengths.reduce(0, +) * UInt64(Extent.unitByteCount)
        guard total > 0 else { return [] }
        let extent = try allocate(bytes: Int(total))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(total), alignment: 16)
        defer { buffer.deallocate() }
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        var references: [PageReference] = []
        var start = extent.start
        for (page, length) in zip(pages, lengths) {
            let offset = Int(start - extent.start) * Extent.unitByteCount
            let target = UnsafeMutableRawBufferPointer(
                rebasing: buffer[offset..<(offset + page.byteCount)])
            let checksum = page.seal(
                into: target, seed: PageReference.seed(fileID: fileID, start: start))
            references.append(
                PageReference(
                    start: start, byteCount: UInt32(page.byteCount),
                    headByteCount: UInt32(page.headByteCount), checksum: checksum))
            start += length
        }
        try write(UnsafeRawBufferPointer(buffer), at: extent)
        return references
    }

    /// Writes a blob of metadata.
    ///
    /// - Throws: `limitExceeded` for a blob that no reader would accept, because a commit must
    ///   never leave a database that cannot be opened.
    mutating func write(blob raw: [UInt8]) throws(StoreError) -> PageReference {
        guard raw.count <= Blob.maximumRawByteCount else {
            throw StoreError(
                .limitExceeded, path: file.path,
                detail: "classes and properties would take more than "
                    + "\(Blob.maximumRawByteCount >> 20) MiB")
        }
        let stored = Blob.encode(raw, level: level)
        return try write(stored: stored, at: try allocate(bytes: stored.count))
    }

    /// Writes the free space itself, into an extent that is allocated before it is described.
    mutating func writeFreeSpace() throws(StoreError) -> PageReference {
        let before = space.freeSpace()
        guard before.isConsistent(endUnit: space.endUnit) else {
            throw .corrupt(file.path, "an extent of the file is used twice or lies outside of it")
        }
        let extent = try allocate(bytes: before.encoded().count + FreeSpace.slackByteCount)
        // The blob is stored plain and padded to its extent: its length is fixed before its content
        // is.
        var raw = space.freeSpace().encoded()
        precondition(
            raw.count <= Int(extent.byteCount), "one more extent takes more than its slack")
        raw.append(contentsOf: repeatElement(0, count: Int(extent.byteCount) - raw.count))
        return try write(stored: raw, at: extent)
    }

    private func write(stored: [UInt8], at extent: Extent) throws(StoreError) -> PageReference {
        let seed = PageReference.seed(fileID: fileID, start: extent.start)
        let checksum = stored.withUnsafeBytes { Checksum.xxh64($0, seed: seed) }
        var padded = stored
        padded.append(
            contentsOf: repeatElement(0, count: max(0, Int(extent.byteCount) - stored.count)))
        let result: Result<Void, StoreError> = padded.withUnsafeBytes { bytes in
            do throws(StoreError) {
                return .success(try write(bytes, at: extent))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        return PageReference(
            start: extent.start, byteCount: UInt32(stored.count),
            headByteCount: UInt32(stored.count), checksum: checksum)
    }

    private mutating func allocate(bytes: Int) throws(StoreError) -> Extent {
        if prefersLowest, let extent = space.allocateLowest(bytes: bytes, below: .max) {
            return extent
        }
        guard let extent = space.allocate(bytes: bytes) else {
            throw StoreError(
                .limitExceeded, path: file.path,
                detail: "the file would grow past \(Extent.maximumFileByteCount >> 40) TiB")
        }
        return extent
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer, at extent: Extent
    ) throws(StoreError) {
        try attempt(file.write(bytes, at: extent.byteOffset), to: "write")
    }

    /// The end of the file, including all written pages, in bytes.
    var fileEnd: UInt64 { space.endUnit * UInt64(Extent.unitByteCount) }
}
