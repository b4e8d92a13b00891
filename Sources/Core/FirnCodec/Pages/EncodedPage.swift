package import FirnValues

/// A page that is ready to be written.
///
/// Its checksums depend on the location, and are added last.
package struct EncodedPage: Sendable {
    /// The size of header and blocks in bytes.
    package var byteCount: Int { head.count + payload.count }
    package var headByteCount: Int { head.count }
    package let kind: ValueTag
    package let rowCount: Int
    package let zone: ZoneMap
    package let encoding: PageEncoding
    /// The size of the body before compression, in bytes.
    package let rawByteCount: Int

    /// The header, with all checksums set to 0.
    private let head: [UInt8]
    private let payload: [UInt8]
    private let blockByteCounts: [Int]

    init(_ body: PageBody, zone: ZoneMap, level: CompressionLevel) {
        var payload: [UInt8] = []
        var blocks: [PageHead.Block] = []
        body.raw.withUnsafeBytes { raw in
            var start = 0
            while start < raw.count {
                let end = min(start + CodecLimits.blockRawBytes, raw.count)
                let slice = UnsafeRawBufferPointer(rebasing: raw[start..<end])
                let compressed = LZ4Block.compress(slice, level: level, to: &payload)
                if compressed == nil { payload.append(contentsOf: slice) }
                blocks.append(
                    PageHead.Block(
                        storedByteCount: compressed ?? slice.count, rawByteCount: slice.count,
                        isCompressed: compressed != nil, checksum: 0))
                start = end
            }
        }
        kind = body.kind
        rowCount = body.rowCount
        encoding = body.parameters.encoding
        rawByteCount = body.raw.count
        self.zone = zone
        self.payload = payload
        blockByteCounts = blocks.map(\.storedByteCount)
        head =
            PageHead(
                kind: body.kind, rowCount: body.rowCount, nullCount: body.nullCount,
                rawByteCount: body.raw.count, parameters: body.parameters, blocks: blocks
            ).encoded()
    }

    /// Writes header and blocks with their checksums into exactly ``byteCount`` bytes.
    ///
    /// - Returns: the checksum of the header, which is stored in the reference to the page.
    package func seal(into target: UnsafeMutableRawBufferPointer, seed: UInt64) -> UInt64 {
        precondition(target.count == byteCount)
        target.copyBytes(from: head)
        UnsafeMutableRawBufferPointer(rebasing: target[head.count...]).copyBytes(from: payload)
        return Self.seal(
            target, headByteCount: head.count, blockByteCounts: blockByteCounts, seed: seed)
    }

    /// Sets the checksums of a page whose other bytes are complete.
    static func seal(
        _ page: UnsafeMutableRawBufferPointer, headByteCount: Int, blockByteCounts: [Int],
        seed: UInt64
    ) -> UInt64 {
        let directory = headByteCount - blockByteCounts.count * PageHead.blockEntryByteCount
        var offset = headByteCount
        for (index, count) in blockByteCounts.enumerated() {
            let stored = UnsafeRawBufferPointer(rebasing: page[offset..<offset + count])
            let sum = Checksum.xxh64(stored, seed: PageHead.seed(seed, block: index))
            page.storeBytes(
                of: sum.littleEndian,
                toByteOffset: directory + index * PageHead.blockEntryByteCount + 4, as: UInt64.self)
            offset += count
        }
        return Checksum.xxh64(UnsafeRawBufferPointer(rebasing: page[..<headByteCount]), seed: seed)
    }
}
