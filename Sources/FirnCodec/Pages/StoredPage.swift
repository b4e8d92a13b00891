/// A page or blob as it stands on disk, to be put elsewhere without decoding it.
package enum StoredPage {
    /// Checks the bytes by the checksums of the place where they stand, and gives them those of
    /// another.
    ///
    /// - Parameters:
    ///   - headByteCount: what `checksum` covers: the head of a page, or all of a blob.
    ///   - old: the seed of the place where they stand.
    ///   - new: the seed of the other place.
    /// - Returns: the checksum for whoever refers to the other place.
    /// - Throws: `corrupt` if the bytes are not what was written.
    package static func reseal(
        _ page: UnsafeMutableRawBufferPointer, headByteCount: Int, checksum: UInt64,
        from old: UInt64, to new: UInt64
    ) throws(CodecError) -> UInt64 {
        guard headByteCount > 0, headByteCount <= page.count else {
            throw CodecError(.corrupt, "page is shorter than its head", at: page.count)
        }
        let head = UnsafeRawBufferPointer(rebasing: page[..<headByteCount])
        guard Checksum.xxh64(head, seed: old) == checksum else {
            throw CodecError(.corrupt, "checksum does not match", at: 0)
        }
        guard headByteCount < page.count else { return Checksum.xxh64(head, seed: new) }
        let blocks = try PageHead(head, storedByteCount: page.count - headByteCount).blocks
        var offset = headByteCount
        for (index, block) in blocks.enumerated() {
            let stored = UnsafeRawBufferPointer(
                rebasing: page[offset..<offset + block.storedByteCount])
            guard Checksum.xxh64(stored, seed: PageHead.seed(old, block: index)) == block.checksum
            else { throw CodecError(.corrupt, "checksum of a block", at: offset) }
            offset += block.storedByteCount
        }
        return EncodedPage.seal(
            page, headByteCount: headByteCount, blockByteCounts: blocks.map(\.storedByteCount),
            seed: new)
    }
}
