import FirnCodec

/// The extents that the current root does not use, and since when.
///
/// On disk: a varint count, then per range varints: gap to the end of the range before, length,
/// root version that freed it (0: long ago). The rest of the blob is zeros.
struct FreeSpace: Hashable, Sendable {
    struct Range: Hashable, Sendable {
        let extent: Extent
        /// The first root that does not use the extent: roots before it may.
        let freedAt: RootVersion
    }

    /// Ascending, without overlap.
    var ranges: [Range] = []

    /// The most bytes that so many ranges take.
    static func byteCountBound(rangeCount: Int) -> Int { 10 + rangeCount * 24 }

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
        return writer.bytes
    }

    /// Reads what ``encoded()`` wrote, and refuses ranges outside of the file.
    init(decoding bytes: [UInt8], endUnit: UInt64) throws(CodecError) {
        ranges = try bytes.withBytes { bytes throws(CodecError) in
            try FreeSpace.decode(bytes, endUnit: endUnit)
        }
    }

    init(ranges: [Range] = []) { self.ranges = ranges }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer, endUnit: UInt64
    ) throws(CodecError) -> [Range] {
        var reader = ByteReader(bytes)
        let count = try reader.varint()
        guard count <= UInt64(bytes.count) else {
            throw CodecError(.corrupt, "more free ranges than bytes", at: 0)
        }
        var ranges: [Range] = []
        var end = UInt64(Superblock.headerByteCount / Extent.unitByteCount)
        var isFirst = true
        for _ in 0..<count {
            let gap = try reader.varint()
            let length = try reader.varint()
            let version = try reader.varint()
            let (start, overflow) = (isFirst ? 0 : end).addingReportingOverflow(gap)
            let (rangeEnd, endOverflow) = start.addingReportingOverflow(length)
            guard !overflow, !endOverflow, length > 0, start >= end, rangeEnd <= endUnit else {
                throw CodecError(.corrupt, "free range outside of the file", at: reader.offset)
            }
            ranges.append(
                Range(
                    extent: Extent(start: start, length: length),
                    freedAt: RootVersion(version)))
            end = rangeEnd
            isFirst = false
        }
        return ranges
    }
}
