import CLZ4

/// How much time goes into making blocks small.
package enum CompressionLevel: Sendable {
    /// As they are.
    case none
    /// LZ4 as it comes.
    case fast
    /// LZ4 that searches longer; reads just as fast.
    case high
}

/// One LZ4 block of at most 64 KiB raw, without any frame of its own.
package enum LZ4Block {
    /// Bytes that compressing `count` bytes may take at most.
    package static func capacity(_ count: Int) -> Int { count + count / 255 + 16 }

    /// Appends the compressed form, if that saves at least an eighth.
    ///
    /// - Returns: how many bytes were appended; nil if it is not worth it.
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
            // Both give up, with 0, when the room that saves an eighth does not suffice.
            return level == .fast
                ? LZ4_compress_default(from, to, count, limit)
                : LZ4_compress_HC(from, to, count, limit, LZ4HC_CLEVEL_DEFAULT)
        }
        target.removeLast(Int(limit) - Int(max(written, 0)))
        return written > 0 ? Int(written) : nil
    }

    /// Fills exactly the target, whose size the caller has held against its limit.
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
