import FirnCodec
import FirnValues

/// The encoding of bytes in blocks of at most 64 KiB raw, each compressed separately.
///
///     u32 stored length | stored bytes | ...
///
/// The highest bit of a stored length marks a block in LZ4. All blocks but the last are full, so
/// the raw length determines their number.
enum Blocks {
    static let rawByteCount = 64 * 1024
    private static let compressedFlag: UInt32 = 1 << 31

    static func append(
        _ raw: UnsafeRawBufferPointer, level: CompressionLevel, to target: inout [UInt8]
    ) {
        var start = 0
        while start < raw.count {
            let end = min(raw.count, start + rawByteCount)
            let block = UnsafeRawBufferPointer(rebasing: raw[start..<end])
            let offset = target.count
            target.append(contentsOf: [0, 0, 0, 0])
            let word: UInt32
            if let count = LZ4Block.compress(block, level: level, to: &target) {
                word = UInt32(truncatingIfNeeded: count) | compressedFlag
            } else {
                target.append(contentsOf: block)
                word = UInt32(truncatingIfNeeded: block.count)
            }
            for index in 0..<4 {
                target[offset + index] = UInt8(truncatingIfNeeded: word >> UInt32(index * 8))
            }
            start = end
        }
    }

    /// Whether a number of stored bytes can encode a number of raw ones: LZ4 packs at most 255 to
    /// 1.
    static func isPossible(rawByteCount: Int, storedByteCount: Int) -> Bool {
        rawByteCount / 256 <= storedByteCount
    }

    /// Reads all blocks.
    ///
    /// - Parameter rawByteCount: The raw length, which determines the memory to allocate. The
    ///   caller has checked it against a limit and ``isPossible(rawByteCount:storedByteCount:)``.
    static func read(
        _ rawByteCount: Int, from reader: inout ByteReader
    ) throws(CodecError) -> [UInt8] {
        var raw = [UInt8](repeating: 0, count: rawByteCount)
        var start = 0
        while start < rawByteCount {
            let word = try reader.u32()
            let length = min(Blocks.rawByteCount, rawByteCount - start)
            let bytes = try reader.bytes(Int(word & ~compressedFlag))
            let range = start..<(start + length)
            if word & compressedFlag != 0 {
                let error = raw.withUnsafeMutableBytes { buffer -> CodecError? in
                    do throws(CodecError) {
                        try LZ4Block.decompress(
                            bytes, into: UnsafeMutableRawBufferPointer(rebasing: buffer[range]))
                        return nil
                    } catch {
                        return error
                    }
                }
                if let error { throw error }
            } else {
                guard bytes.count == length else {
                    throw CodecError(.corrupt, "block of wrong length", at: reader.offset)
                }
                raw.replaceSubrange(range, with: bytes)
            }
            start += length
        }
        return raw
    }
}

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
        let raw = try Blocks.read(rawByteCount, from: &reader)
        // A longer reference would claim space that other pages use.
        try reader.finish()
        return raw
    }
}
