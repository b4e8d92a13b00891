import FirnCodec
import FirnValues

/// The encoding of the free space, in varints; the rest of the blob is zeros.
///
///     count, { gap to the end of the range before, length, freed at }     free and held ranges
///     1, { born at * 2 + bookkeeping }                                    one per range not free
///     count, { gap to the end of the range before, length, born at }      young ranges
///
/// Files without history have only the first line: the zeros after it state that no range is young.
extension FreeSpace {
    /// The maximum number of bytes by which one change to the ranges extends the blob: a range that
    /// is split in three, of six numbers each.
    static let slackByteCount = 3 * 6 * 10

    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(UInt64(ranges.count))
        var end: UInt64 = 0
        for range in ranges {
            writer.varint(range.extent.start - end)
            writer.varint(range.extent.length)
            writer.varint(range.freedAt.rawValue)
            end = range.extent.end
        }
        writer.varint(1)
        for range in ranges where !range.isFree {
            writer.varint(range.bornAt.rawValue << 1 | (range.isBookkeeping ? 1 : 0))
        }
        writer.varint(UInt64(young.count))
        end = 0
        for young in young {
            writer.varint(young.extent.start - end)
            writer.varint(young.extent.length)
            writer.varint(young.bornAt.rawValue)
            end = young.extent.end
        }
        return writer.bytes
    }

    /// Reads the result of ``encoded()``, and rejects ranges outside the file.
    init(decoding bytes: [UInt8], endUnit: UInt64) throws(CodecError) {
        self = try bytes.withBytes { bytes throws(CodecError) in
            try FreeSpace(from: bytes, endUnit: endUnit)
        }
    }

    private init(from bytes: UnsafeRawBufferPointer, endUnit: UInt64) throws(CodecError) {
        var reader = ByteReader(bytes)
        let extents = try FreeSpace.extents(from: &reader, endUnit: endUnit)
        var hasBirths = false
        if !reader.isAtEnd { hasBirths = try reader.varint() == 1 }
        for (extent, freedAt) in extents {
            let birth = hasBirths && freedAt != RootVersion(0) ? try reader.varint() : 0
            let bornAt = RootVersion(birth >> 1)
            guard bornAt <= freedAt else {
                throw CodecError(.corrupt, "space freed before its use", at: reader.offset)
            }
            ranges.append(
                Range(
                    extent: extent, bornAt: bornAt, freedAt: freedAt,
                    isBookkeeping: birth & 1 == 1))
        }
        guard hasBirths else { return }
        young = try FreeSpace.extents(from: &reader, endUnit: endUnit).map {
            AllocatedSince(extent: $0.extent, bornAt: $0.version)
        }
        guard isConsistent(endUnit: endUnit) else {
            throw CodecError(.corrupt, "space that is used and free", at: reader.offset)
        }
    }

    private static func extents(
        from reader: inout ByteReader, endUnit: UInt64
    ) throws(CodecError) -> [(extent: Extent, version: RootVersion)] {
        let count = try reader.varint()
        guard count <= UInt64(reader.remaining) else {
            throw CodecError(.corrupt, "more ranges than bytes", at: reader.offset)
        }
        var extents: [(extent: Extent, version: RootVersion)] = []
        var end: UInt64 = 0
        let first = UInt64(Superblock.headerByteCount / Extent.unitByteCount)
        for _ in 0..<count {
            let gap = try reader.varint()
            let length = try reader.varint()
            let version = RootVersion(try reader.varint())
            let (start, overflow) = end.addingReportingOverflow(gap)
            let (rangeEnd, endOverflow) = start.addingReportingOverflow(length)
            guard !overflow, !endOverflow, length > 0, start >= first, rangeEnd <= endUnit,
                version <= .maximum
            else { throw CodecError(.corrupt, "range outside of the file", at: reader.offset) }
            extents.append((Extent(start: start, length: length), version))
            end = rangeEnd
        }
        return extents
    }
}
