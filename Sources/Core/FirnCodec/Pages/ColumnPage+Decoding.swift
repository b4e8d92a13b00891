package import FirnValues

extension ColumnPage {
    /// Reads untrusted bytes that ``EncodedPage/seal(into:seed:)`` wrote.
    ///
    /// The checksums are verified first, then every length before memory is allocated for it, and
    /// then every code and every string.
    ///
    /// - Parameter allocator: the source of the memory of the page; `nil` for the heap.
    package static func decode(
        _ bytes: UnsafeRawBufferPointer, kind: ValueTag, rowCount: Int, seed: UInt64,
        headByteCount: Int, headChecksum: UInt64, memory allocator: (any PageAllocator)? = nil
    ) throws(CodecError) -> ColumnPage {
        let head = try PageHead(
            sealed: bytes, kind: kind, rowCount: rowCount, seed: seed,
            headByteCount: headByteCount, checksum: headChecksum)
        let expansion = PageExpansion(head, memory: allocator)
        let body = PageMemory(byteCount: expansion.bodyMemoryByteCount, from: expansion.allocator)
        let raw = body.take(
            head.rawByteCount + CodecLimits.readSlackBytes, of: UInt8.self)
        let blocks = UnsafeRawBufferPointer(rebasing: bytes[headByteCount...])
        try decompress(
            blocks, head, seed, headByteCount,
            UnsafeMutableRawBufferPointer(start: raw, count: head.rawByteCount))
        (raw + head.rawByteCount).update(repeating: 0, count: CodecLimits.readSlackBytes)
        return try expansion.page(body, raw)
    }

    private static func decompress(
        _ stored: UnsafeRawBufferPointer, _ head: PageHead, _ seed: UInt64, _ headByteCount: Int,
        _ raw: UnsafeMutableRawBufferPointer
    ) throws(CodecError) {
        var from = 0
        var to = 0
        for (index, block) in head.blocks.enumerated() {
            let source = UnsafeRawBufferPointer(
                rebasing: stored[from..<from + block.storedByteCount])
            let target = UnsafeMutableRawBufferPointer(rebasing: raw[to..<to + block.rawByteCount])
            guard
                Checksum.xxh64(source, seed: PageHead.seed(seed, block: index)) == block.checksum
            else {
                throw CodecError(
                    .corrupt, "the checksum of a block is wrong", at: headByteCount + from)
            }
            if block.isCompressed {
                try LZ4Block.decompress(source, into: target)
            } else {
                target.copyMemory(from: source)
            }
            from += block.storedByteCount
            to += block.rawByteCount
        }
    }

    /// Creates a page directly from a body, without writing it to disk.
    convenience init(_ source: PageBody) throws(CodecError) {
        let expansion = PageExpansion(source)
        let body = PageMemory(byteCount: expansion.bodyMemoryByteCount, from: expansion.allocator)
        let raw = body.take(
            source.raw.count + CodecLimits.readSlackBytes, of: UInt8.self)
        source.raw.withUnsafeBufferPointer { bytes in
            if let base = bytes.baseAddress { raw.update(from: base, count: bytes.count) }
        }
        (raw + source.raw.count).update(repeating: 0, count: CodecLimits.readSlackBytes)
        let parts = try expansion.parts(body, raw)
        self.init(
            kind: source.kind, rowCount: source.rowCount, nullCount: source.nullCount,
            encoding: source.parameters.encoding, nulls: parts.nulls, content: parts.content,
            memory: parts.memory)
    }
}
