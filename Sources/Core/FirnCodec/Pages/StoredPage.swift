import FirnValues

/// A stored page or blob that is relocated without being decoded.
package enum StoredPage {
    /// Verifies the bytes with the checksums of their current location, and writes the checksums of
    /// another location.
    ///
    /// - Parameters:
    ///   - headByteCount: the number of bytes that `checksum` covers: the header of a page, or a
    ///     whole blob.
    ///   - old: the seed of the current location.
    ///   - new: the seed of the other location.
    /// - Returns: the checksum for references to the other location.
    /// - Throws: `corrupt` if the bytes are not those that were written.
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
            else { throw CodecError(.corrupt, "the checksum of a block is wrong", at: offset) }
            offset += block.storedByteCount
        }
        return EncodedPage.seal(
            page, headByteCount: headByteCount, blockByteCounts: blocks.map(\.storedByteCount),
            seed: new)
    }
}
