import FirnCodec
import FirnValues

/// The location, length and checksum of a page or blob.
///
/// The checksum is stored here, in the parent, and is seeded with the file and the location. A page
/// that was lost, misdirected, taken from another file or left from an earlier use is therefore
/// detected.
///
/// In the superblock (24 bytes; all zeros means none): u64 start, u32 bytes, u32 head, u64
/// checksum. Elsewhere: three varints and the checksum.
package struct PageReference: Hashable, Sendable {
    /// The number of the first unit; never 0, which is the superblock.
    let start: UInt64
    /// The number of stored bytes; the rest of the last unit is undefined.
    let byteCount: UInt32
    /// The number of bytes at the beginning that `checksum` covers and that hold the checksums of
    /// the rest.
    let headByteCount: UInt32
    let checksum: UInt64

    var extent: Extent {
        Extent(start: start, length: max(1, Extent.units(forBytes: Int(byteCount))))
    }

    var byteOffset: UInt64 { start * UInt64(Extent.unitByteCount) }

    /// Returns the seed of all checksums of a page at this location of this file.
    static func seed(fileID: UUID, start: UInt64) -> UInt64 {
        var seed = fileID.high ^ (fileID.low << 1 | fileID.low >> 63)
        seed = (seed ^ start) &* 0x9E37_79B9_7F4A_7C15
        return seed ^ (seed >> 29)
    }

    static func writeFixed(_ reference: PageReference?, to writer: inout ByteWriter) {
        writer.u64(reference?.start ?? 0)
        writer.u32(reference?.byteCount ?? 0)
        writer.u32(reference?.headByteCount ?? 0)
        writer.u64(reference?.checksum ?? 0)
    }

    static func readFixed(from reader: inout ByteReader) throws(CodecError) -> PageReference? {
        let start = try reader.u64()
        let byteCount = try reader.u32()
        let headByteCount = try reader.u32()
        let checksum = try reader.u64()
        if start == 0 { return nil }
        return try PageReference(
            checkedStart: start, byteCount: byteCount, headByteCount: headByteCount,
            checksum: checksum)
    }

    func write(to writer: inout ByteWriter) {
        writer.varint(start)
        writer.varint(UInt64(byteCount))
        writer.varint(UInt64(headByteCount))
        writer.u64(checksum)
    }

    /// Skips a reference without validating its fields.
    static func skip(_ reader: inout ByteReader) throws(CodecError) {
        for _ in 0..<3 { try reader.skipVarint() }
        _ = try reader.skip(MemoryLayout<UInt64>.size)
    }

    init(from reader: inout ByteReader) throws(CodecError) {
        let start = try reader.varint()
        guard let byteCount = UInt32(exactly: try reader.varint()),
            let headByteCount = UInt32(exactly: try reader.varint())
        else { throw CodecError(.corrupt, "reference too long", at: reader.offset) }
        try self.init(
            checkedStart: start, byteCount: byteCount, headByteCount: headByteCount,
            checksum: try reader.u64())
    }

    init(start: UInt64, byteCount: UInt32, headByteCount: UInt32, checksum: UInt64) {
        self.start = start
        self.byteCount = byteCount
        self.headByteCount = headByteCount
        self.checksum = checksum
    }

    private init(
        checkedStart start: UInt64, byteCount: UInt32, headByteCount: UInt32, checksum: UInt64
    ) throws(CodecError) {
        let firstUnit = UInt64(Superblock.headerByteCount / Extent.unitByteCount)
        let lastUnit = Extent.maximumFileByteCount / UInt64(Extent.unitByteCount)
        guard start >= firstUnit, start < lastUnit, byteCount > 0, headByteCount <= byteCount else {
            throw CodecError(.corrupt, "impossible page reference")
        }
        self.init(
            start: start, byteCount: byteCount, headByteCount: headByteCount, checksum: checksum)
    }
}
