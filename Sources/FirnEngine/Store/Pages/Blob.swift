import FirnCodec

/// Bytes of metadata (catalog, directory nodes, masks) as they are stored.
///
///     u32 raw length | per block of at most 64 KiB raw: u32 stored length, bytes
///
/// The highest bit of a stored length says that the block is LZ4. The reference's checksum covers
/// all of it.
enum Blob {
    static let blockByteCount = 64 * 1024
    /// Far above what a catalog or node needs; checked before memory is taken.
    static let maximumRawByteCount = 64 * 1024 * 1024
    private static let compressedFlag: UInt32 = 1 << 31

    static func encode(_ raw: [UInt8], level: CompressionLevel) -> [UInt8] {
        var writer = ByteWriter()
        writer.u32(UInt32(truncatingIfNeeded: raw.count))
        raw.withUnsafeBytes { raw in
            var start = 0
            while start < raw.count {
                let end = min(raw.count, start + blockByteCount)
                let block = UnsafeRawBufferPointer(rebasing: raw[start..<end])
                var packed: [UInt8] = []
                if let count = LZ4Block.compress(block, level: level, to: &packed) {
                    writer.u32(UInt32(truncatingIfNeeded: count) | compressedFlag)
                    writer.bytes(packed)
                } else {
                    writer.u32(UInt32(truncatingIfNeeded: block.count))
                    writer.bytes(block)
                }
                start = end
            }
        }
        return writer.bytes
    }

    static func decode(_ stored: UnsafeRawBufferPointer) throws(CodecError) -> [UInt8] {
        var reader = ByteReader(stored)
        let rawByteCount = Int(try reader.u32())
        // LZ4 packs at most 255 to 1: a longer claim is a lie, whatever the blocks say.
        guard rawByteCount <= maximumRawByteCount, rawByteCount / 256 <= stored.count else {
            throw CodecError(.corrupt, "blob claims \(rawByteCount) bytes", at: 0)
        }
        var raw = [UInt8](repeating: 0, count: rawByteCount)
        var start = 0
        while start < rawByteCount {
            let word = try reader.u32()
            let length = min(blockByteCount, rawByteCount - start)
            let bytes = try reader.bytes(Int(word & ~compressedFlag))
            if word & compressedFlag != 0 {
                let range = start..<(start + length)
                let result = raw.withUnsafeMutableBytes { buffer -> CodecError? in
                    let target = UnsafeMutableRawBufferPointer(rebasing: buffer[range])
                    do throws(CodecError) {
                        try LZ4Block.decompress(bytes, into: target)
                        return nil
                    } catch {
                        return error
                    }
                }
                if let result { throw result }
            } else {
                guard bytes.count == length else {
                    throw CodecError(.corrupt, "blob block of wrong length", at: reader.offset)
                }
                raw.replaceSubrange(start..<(start + length), with: bytes)
            }
            start += length
        }
        return raw
    }
}
