import FirnCodec
import FirnValues

/// What a segment says of itself.
///
/// Four pages of 4,096 bytes stand before the frames, with a record at the start of each. There are
/// two slots of two copies, so that a segment can be used again with one sync:
///
///     0        4,096    8,192    12,288   16,384
///     | slot 0 | slot 1 | slot 0 | slot 1 | frames ...
///     | copy 0 | copy 1 | copy 2 | copy 3 |
///
/// Using it again writes the slot that does not count now. A crash may tear both of its copies;
/// then the other slot shows the use before, of which everything is in the database already. One
/// damaged copy never matters. Behind each record is a ``SegmentExtent``.
///
/// Layout of a copy, little-endian; the rest of its page is zero:
///
///       0  magic              89 'F' 'I' 'R' 'L' 0D 0A 1A
///       8  u32 format         1
///      12  u32 copy           0 to 3
///      16  u64 u64            id of the database file
///      32  u64 generation     of the log: goes up whenever one is made
///      40  u64 number         of the segment; goes up with every use
///      48  u64 base           the last commit before the first frame
///      56  u64 chain          the hash of that commit
///      64  u64 salt           seeds the seals of the frames
///      72  u64 length         of the file when the use began; 0 if an earlier build made it
///      80  zeros
///     504  u64 XXH64 of the 504 bytes before, seeded with the copy number
struct LogHeader: Hashable, Sendable {
    /// What one of the four copies turned out to be.
    enum CopyState: Hashable {
        case valid(LogHeader)
        /// Another program's bytes, or nothing.
        case foreign
        /// Ours, whole, and of a format that this build does not know.
        case newer(format: UInt32)
        /// Ours, and damaged or torn.
        case damaged
    }

    static let recordByteCount = 512
    static let pageByteCount = 4096
    static let copyCount = 4
    /// Where the frames begin.
    static let byteCount = copyCount * pageByteCount
    static let magic: [UInt8] = [0x89, 0x46, 0x49, 0x52, 0x4C, 0x0D, 0x0A, 0x1A]
    static let currentFormat: UInt32 = 1
    private static let checksumOffset = recordByteCount - 8
    /// The offset of ``number`` in a record.
    static let numberOffset = 40

    var fileID: UUID
    /// ``Superblock/logGeneration``.
    var generation: UInt64
    /// Goes up with every use of either segment.
    var number: UInt64
    /// The last commit before the first frame of this segment; it was on disk before the segment
    /// was begun.
    var base: LSN
    /// The hash of that commit.
    var chain: ChainHash
    /// Random.
    var salt: UInt64
    /// The file is at least this long since the use began; 0 if that is not known.
    var fileByteCount: UInt64 = 0

    /// Whether another header is that of the same use, begun again by another process.
    func isBegun(as other: LogHeader) -> Bool {
        var other = other
        other.salt = salt
        other.fileByteCount = fileByteCount
        return fileByteCount > 0 && other == self
    }

    /// Where the first frame stands.
    var start: LogPosition {
        LogPosition(offset: UInt64(LogHeader.byteCount), lsn: base, chain: chain)
    }

    /// The copies of a slot.
    static func copies(ofSlot slot: Int) -> [Int] { [slot, slot + 2] }

    static func offset(ofCopy copy: Int) -> UInt64 { UInt64(copy * pageByteCount) }

    func record(copy: Int) -> [UInt8] {
        var writer = ByteWriter(reserving: LogHeader.recordByteCount)
        writer.bytes(LogHeader.magic)
        writer.u32(LogHeader.currentFormat)
        writer.u32(UInt32(truncatingIfNeeded: copy))
        writer.u64(fileID.high)
        writer.u64(fileID.low)
        writer.u64(generation)
        writer.u64(number)
        writer.u64(base.rawValue)
        writer.u64(chain.rawValue)
        writer.u64(salt)
        writer.u64(fileByteCount)
        writer.bytes(Array(repeating: 0, count: LogHeader.checksumOffset - writer.count))
        writer.u64(writer.bytes.withUnsafeBytes { Checksum.xxh64($0, seed: UInt64(copy)) })
        return writer.bytes
    }

    /// Judges the bytes of a copy.
    static func state(of record: UnsafeRawBufferPointer, copy: Int) -> CopyState {
        guard record.count == recordByteCount, record.starts(with: magic) else { return .foreign }
        do throws(CodecError) {
            return try decode(record, copy: copy)
        } catch {
            return .damaged
        }
    }

    private static func decode(
        _ record: UnsafeRawBufferPointer, copy: Int
    ) throws(CodecError) -> CopyState {
        var reader = ByteReader(record)
        _ = try reader.bytes(magic.count)
        let format = try reader.u32()
        var tail = ByteReader(UnsafeRawBufferPointer(rebasing: record[checksumOffset...]))
        let covered = UnsafeRawBufferPointer(rebasing: record[..<checksumOffset])
        guard Checksum.xxh64(covered, seed: UInt64(copy)) == (try tail.u64()) else {
            return .damaged
        }
        guard format <= currentFormat else { return .newer(format: format) }
        guard format == currentFormat, try reader.u32() == UInt32(copy) else { return .damaged }
        return .valid(
            LogHeader(
                fileID: UUID(high: try reader.u64(), low: try reader.u64()),
                generation: try reader.u64(), number: try reader.u64(),
                base: LSN(try reader.u64()), chain: ChainHash(try reader.u64()),
                salt: try reader.u64(), fileByteCount: try reader.u64()))
    }
}
