import FirnCodec

/// The encoding of metadata (catalog, directory nodes, masks): u32 raw length, then ``Blocks``.
///
/// The checksum in the reference covers all of it.
enum Blob {
    /// The limit on the raw length, checked before memory is allocated; it far exceeds any catalog
    /// or node.
    static let maximumRawByteCount = 64 * 1024 * 1024

    static func encode(_ raw: [UInt8], level: CompressionLevel) -> [UInt8] {
        var writer = ByteWriter()
        writer.u32(UInt32(truncatingIfNeeded: raw.count))
        var bytes = writer.bytes
        raw.withUnsafeBytes { Blocks.append($0, level: level, to: &bytes) }
        return bytes
    }

    static func decode(_ stored: UnsafeRawBufferPointer) throws(CodecError) -> [UInt8] {
        var reader = ByteReader(stored)
        let rawByteCount = Int(try reader.u32())
        guard rawByteCount <= maximumRawByteCount,
            Blocks.isPossible(rawByteCount: rawByteCount, storedByteCount: stored.count)
        else { throw CodecError(.corrupt, "blob claims \(rawByteCount) bytes", at: 0) }
        return try Blocks.read(rawByteCount, from: &reader)
    }
}
