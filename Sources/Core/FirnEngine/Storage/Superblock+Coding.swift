import FirnCodec
import FirnValues

extension Superblock {
    /// The state of one of the four copies.
    enum CopyState: Hashable, Sendable {
        case valid(Superblock)
        /// Bytes of another program, or an empty copy.
        case foreign
        /// A copy in a format that this build does not know.
        ///
        /// The copy is whole if its checksum is where this format has it. Otherwise it may also be
        /// damaged.
        case newer(format: UInt32, isWhole: Bool)
        /// A copy of this format that is damaged or torn.
        case damaged
    }

    private static let checksumOffset = recordByteCount - 8

    /// Returns the bytes of a copy.
    func record(copy: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.bytes(Superblock.magic)
        writer.u32(format)
        writer.u32(UInt32(truncatingIfNeeded: copy))
        writer.u64(compatibleFeatures)
        writer.u64(readOnlyFeatures)
        writer.u64(incompatibleFeatures)
        writer.u64(fileID.high)
        writer.u64(fileID.low)
        writer.u32(UInt32(Extent.unitByteCount))
        writer.u32(rowsPerGroup)
        writer.u64(rootVersion.rawValue)
        writer.u64(lsn.rawValue)
        writer.u64(fileByteCount)
        PageReference.writeFixed(catalog, to: &writer)
        PageReference.writeFixed(freeSpace, to: &writer)
        writer.u32(hasLog ? 1 : 0)
        writer.u32(0)
        writer.u64(logGeneration)
        writer.u64(previousChecksum)
        writer.u64(UInt64(bitPattern: createdSeconds))
        PageReference.writeFixed(history, to: &writer)
        writer.u64(chain.rawValue)
        writer.u64(logSegment)
        writer.bytes(Array(repeating: 0, count: Superblock.checksumOffset - writer.count))
        writer.u64(Superblock.checksum(writer.bytes[...], copy: copy))
        return writer.bytes
    }

    /// The checksum of this root that the next root stores.
    var checksum: UInt64 {
        let copy = copies[0]
        return Superblock.checksum(
            record(copy: copy)[..<Superblock.checksumOffset], copy: copy)
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>, copy: Int) -> UInt64 {
        bytes.withUnsafeBytes { Checksum.xxh64($0, seed: UInt64(copy)) }
    }

    /// Returns the state of a copy, given its bytes.
    static func state(of record: ArraySlice<UInt8>, copy: Int) -> CopyState {
        guard record.count == recordByteCount, record.starts(with: magic) else { return .foreign }
        do throws(CodecError) {
            return try Array(record).withBytes { bytes throws(CodecError) in
                try decode(bytes, copy: copy)
            }
        } catch {
            return .damaged
        }
    }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer, copy: Int
    ) throws(CodecError) -> CopyState {
        var reader = ByteReader(bytes)
        _ = try reader.bytes(magic.count)
        let format = try reader.u32()
        var tail = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[checksumOffset...]))
        let expected = try tail.u64()
        let covered = UnsafeRawBufferPointer(rebasing: bytes[..<checksumOffset])
        guard Checksum.xxh64(covered, seed: UInt64(copy)) == expected else {
            // A newer format may store its checksum elsewhere: trust its number, not its content.
            return format > FileFormat.written
                ? .newer(format: format, isWhole: false) : .damaged
        }
        guard format <= FileFormat.written else { return .newer(format: format, isWhole: true) }
        guard FileFormat.readable.contains(format), try reader.u32() == UInt32(copy) else {
            return .damaged
        }
        let features = (try reader.u64(), try reader.u64(), try reader.u64())
        let fileID = UUID(high: try reader.u64(), low: try reader.u64())
        guard try reader.u32() == UInt32(Extent.unitByteCount) else { return .damaged }
        let rowsPerGroup = try reader.u32()
        let version = RootVersion(try reader.u64())
        let lsn = LSN(try reader.u64())
        let fileByteCount = try reader.u64()
        let catalog = try PageReference.readFixed(from: &reader)
        let freeSpace = try PageReference.readFixed(from: &reader)
        let state = try reader.u32()
        _ = try reader.u32()
        let logGeneration = try reader.u64()
        let previousChecksum = try reader.u64()
        let created = Int64(bitPattern: try reader.u64())
        let history = try PageReference.readFixed(from: &reader)
        let chain = ChainHash(try reader.u64())
        let logSegment = try reader.u64()
        guard state <= 1, version <= .maximum, Int(version.rawValue & 1) == copy & 1,
            rowsPerGroup >= 1, rowsPerGroup <= UInt32(Superblock.rowsPerGroupMaximum),
            fileByteCount >= UInt64(headerByteCount), fileByteCount <= Extent.maximumFileByteCount
        else { return .damaged }
        return .valid(
            Superblock(
                format: format, fileID: fileID, rowsPerGroup: rowsPerGroup, rootVersion: version,
                lsn: lsn,
                fileByteCount: fileByteCount, catalog: catalog, freeSpace: freeSpace,
                history: history,
                chain: chain, hasLog: state == 1, logGeneration: logGeneration,
                logSegment: logSegment,
                previousChecksum: previousChecksum, createdSeconds: created,
                compatibleFeatures: features.0, readOnlyFeatures: features.1,
                incompatibleFeatures: features.2))
    }
}
