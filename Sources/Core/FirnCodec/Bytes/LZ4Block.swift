import CLZ4
import FirnValues

/// The effort spent on compressing blocks.
package enum CompressionLevel: Sendable {
    /// No compression.
    case none
    /// LZ4 with its default search.
    case fast
    /// LZ4 with a longer search.
    ///
    /// Decompression is just as fast.
    case high
}

/// An LZ4 block of at most 64 KiB of raw data, without an LZ4 frame.
package enum LZ4Block {
    /// The level of LZ4-HC.
    ///
    /// Its default, 9, takes 1.7 times as long and makes databases 1% smaller.
    private static let highLevel: Int32 = 6

    /// Appends the compressed form, if that saves at least an eighth.
    ///
    /// - Returns: the number of appended bytes; `nil` if compression saves less.
    package static func compress(
        _ source: UnsafeRawBufferPointer, level: CompressionLevel, to target: inout [UInt8]
    ) -> Int? {
        guard level != .none, source.count >= CodecLimits.compressionBytesMin,
            let limit = Int32(exactly: source.count - source.count / 8),
            let count = Int32(exactly: source.count)
        else { return nil }
        let start = target.count
        target.append(contentsOf: repeatElement(0, count: Int(limit)))
        let written = target.withUnsafeMutableBytes { buffer -> Int32 in
            guard let from = source.baseAddress, let base = buffer.baseAddress else { return 0 }
            let to = base + start
            // Both functions return 0 if the output does not fit in the room that saves an eighth.
            return level == .fast
                ? LZ4_compress_default(from, to, count, limit)
                : LZ4_compress_HC(from, to, count, limit, highLevel)
        }
        target.removeLast(Int(limit) - Int(max(written, 0)))
        return written > 0 ? Int(written) : nil
    }

    /// Decompresses a block that must fill the target exactly.
    ///
    /// The caller has checked the target's size.
    package static func decompress(
        _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) throws(CodecError) {
        guard let from = source.baseAddress, let to = target.baseAddress,
            let sourceCount = Int32(exactly: source.count),
            let targetCount = Int32(exactly: target.count)
        else { throw CodecError(.corrupt, "block without bytes") }
        guard LZ4_decompress_safe(from, to, sourceCount, targetCount) == targetCount else {
            throw CodecError(.corrupt, "block does not decompress to its length")
        }
    }
}
