import FirnCodec

/// Bytes of metadata (catalog, directory nodes, masks) as they are stored: u32 raw length, then
/// ``Blocks``.
///
/// The reference's checksum covers all of it.
enum Blob {
    /// Far above what a catalog or node needs; checked before memory is taken.
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
