import FirnValues

/// The header of a page, which precedes its blocks and is never compressed.
///
/// The reference to the page contains the checksum of the header; the header contains those of the
/// blocks.
///
///      0  u8   encoding         8  u32  nulls              20  u32  bytes of parameters
///      1  u8   kind            12  u32  bytes of the body  24  parameters
///      2  u16  0               16  u32  blocks                 then 12 bytes per block:
///      4  u32  rows
///                              u32  stored bytes, bit 31 set if LZ4
///                              u64  XXH64 of the stored bytes, seeded by page and block number
struct PageHead {
    static let fixedByteCount = 24
    static let blockEntryByteCount = 12
    static let compressedBit: UInt32 = 1 << 31

    struct Block {
        var storedByteCount: Int
        var rawByteCount: Int
        var isCompressed: Bool
        var checksum: UInt64
    }

    var kind: ValueTag
    var rowCount: Int
    var nullCount: Int
    var rawByteCount: Int
    var parameters: PageParameters
    var blocks: [Block]

    /// Returns the seed of a block's checksum.
    ///
    /// The seed of the header is that of the page.
    static func seed(_ pageSeed: UInt64, block: Int) -> UInt64 { pageSeed &+ 1 &+ UInt64(block) }

    func encoded() -> [UInt8] {
        var parameterWriter = ByteWriter()
        parameters.write(to: &parameterWriter)
        var writer = ByteWriter()
        writer.u8(parameters.encoding.rawValue)
        writer.u8(kind.rawValue)
        writer.u16(0)
        writer.u32(UInt32(rowCount))
        writer.u32(UInt32(nullCount))
        writer.u32(UInt32(rawByteCount))
        writer.u32(UInt32(blocks.count))
        writer.u32(UInt32(parameterWriter.count))
        writer.bytes(parameterWriter.bytes)
        for block in blocks {
            let flag = block.isCompressed ? Self.compressedBit : 0
            writer.u32(UInt32(block.storedByteCount) | flag)
            writer.u64(block.checksum)
        }
        return writer.bytes
    }
}

extension PageHead {
    /// Reads the header of a stored page after its checksum was verified.
    init(
        sealed bytes: UnsafeRawBufferPointer, kind: ValueTag, rowCount: Int, seed: UInt64,
        headByteCount: Int, checksum: UInt64
    ) throws(CodecError) {
        guard headByteCount >= PageHead.fixedByteCount, headByteCount <= bytes.count else {
            throw CodecError(.corrupt, "page is shorter than its head", at: bytes.count)
        }
        let headBytes = UnsafeRawBufferPointer(rebasing: bytes[..<headByteCount])
        guard Checksum.xxh64(headBytes, seed: seed) == checksum else {
            throw CodecError(.corrupt, "the checksum of a page's head is wrong", at: 0)
        }
        try self.init(headBytes, storedByteCount: bytes.count - headByteCount)
        guard self.kind == kind, self.rowCount == rowCount else {
            throw CodecError(.corrupt, "page of another column or row group", at: 0)
        }
    }

    /// Reads a header that describes exactly `storedByteCount` bytes of blocks after it.
    init(_ bytes: UnsafeRawBufferPointer, storedByteCount: Int) throws(CodecError) {
        var reader = ByteReader(bytes)
        guard let encoding = PageEncoding(rawValue: try reader.u8()) else {
            throw CodecError(.corrupt, "unknown encoding of a page", at: 0)
        }
        guard let kind = ValueTag(rawValue: try reader.u8()) else {
            throw CodecError(.corrupt, "unknown kind of values", at: 1)
        }
        guard try reader.u16() == 0 else {
            throw CodecError(.corrupt, "unknown flags of a page", at: 2)
        }
        self.kind = kind
        rowCount = try Self.number(&reader, max: CodecLimits.rowsPerPageMax)
        nullCount = try Self.number(&reader, max: rowCount)
        rawByteCount = try Self.number(&reader, max: CodecLimits.pageRawBytesMax)
        let blockRaw = CodecLimits.blockRawBytes
        let blockCount = try Self.number(&reader, max: CodecLimits.pageRawBytesMax / blockRaw)
        let parameterByteCount = try Self.number(&reader, max: reader.remaining)
        var parameterReader = ByteReader(try reader.bytes(parameterByteCount))
        parameters = try PageParameters(encoding, kind: kind, from: &parameterReader)
        try parameterReader.finish()
        guard blockCount == (rawByteCount + blockRaw - 1) / blockRaw,
            reader.remaining == blockCount * Self.blockEntryByteCount
        else {
            throw CodecError(.corrupt, "the directory of blocks is incomplete", at: reader.offset)
        }
        blocks = []
        blocks.reserveCapacity(blockCount)
        var stored = 0
        for index in 0..<blockCount {
            let raw = min(blockRaw, rawByteCount - index * blockRaw)
            let block = try Self.block(&reader, rawByteCount: raw)
            stored += block.storedByteCount
            blocks.append(block)
        }
        guard stored == storedByteCount else {
            throw CodecError(
                .corrupt, "the lengths of the blocks do not add up to that of the page",
                at: reader.offset)
        }
    }

    private static func number(
        _ reader: inout ByteReader, max maximum: Int
    ) throws(CodecError) -> Int {
        let value = try reader.u32()
        guard Int(value) <= maximum else {
            throw CodecError(.corrupt, "number beyond its limit", at: reader.offset - 4)
        }
        return Int(value)
    }

    private static func block(
        _ reader: inout ByteReader, rawByteCount: Int
    ) throws(CodecError) -> Block {
        let start = reader.offset
        let word = try reader.u32()
        let stored = Int(word & ~compressedBit)
        let isCompressed = word & compressedBit != 0
        let possible = stored * CodecLimits.expansionMax + CodecLimits.expansionSlackBytes
        let isPlausible =
            isCompressed
            ? stored > 0 && stored < rawByteCount && rawByteCount <= possible
            : stored == rawByteCount
        guard isPlausible else {
            throw CodecError(.corrupt, "block of an impossible length", at: start)
        }
        return Block(
            storedByteCount: stored, rawByteCount: rawByteCount, isCompressed: isCompressed,
            checksum: try reader.u64())
    }
}
