import FirnCodec
import FirnValues

/// The header of a segment.
///
/// Four pages of 4,096 bytes precede the frames, with a record at the start of each. There are two
/// slots of two copies, so that a segment can be reused with one sync:
///
///     0        4,096    8,192    12,288   16,384
///     | slot 0 | slot 1 | slot 0 | slot 1 | frames ...
///     | copy 0 | copy 1 | copy 2 | copy 3 |
///
/// Reuse writes the slot that is not current. If a crash tears both copies of it, the other slot
/// still has the previous use, all of which is in the database already. One damaged copy never
/// matters. Each record is followed by a ``SegmentExtent``.
///
/// Layout of a copy, little-endian; the rest of its page is zero:
///
///       0  magic              89 'F' 'I' 'R' 'L' 0D 0A 1A
///       8  u32 format         1
///      12  u32 copy           0 to 3
///      16  u64 u64            id of the database file
///      32  u64 generation     of the log: incremented whenever a log is created
///      40  u64 number         of the segment; incremented with every use
///      48  u64 base           the last commit before the first frame
///      56  u64 chain          the hash of that commit
///      64  u64 salt           seeds the seals of the frames
///      72  u64 length         of the file when the use began; 0 if an earlier build made it
///      80  zeros
///     504  u64 XXH64 of the 504 bytes before, seeded with the copy number
struct LogHeader: Hashable, Sendable {
    /// The state of one of the four copies.
    enum CopyState: Hashable {
        case valid(LogHeader)
        /// Bytes of another program, or an empty copy.
        case foreign
        /// A complete copy in a format that this build does not know.
        case newer(format: UInt32)
        /// A copy of this format that is damaged or torn.
        case damaged
    }

    static let recordByteCount = 512
    static let pageByteCount = 4096
    static let copyCount = 4
    /// The offset of the first frame.
    static let byteCount = copyCount * pageByteCount
    static let magic: [UInt8] = [0x89, 0x46, 0x49, 0x52, 0x4C, 0x0D, 0x0A, 0x1A]
    static let currentFormat: UInt32 = 1
    private static let checksumOffset = recordByteCount - 8
    /// The offset of ``number`` in a record.
    static let numberOffset = 40

    var fileID: UUID
    /// ``Superblock/logGeneration``.
    var generation: UInt64
    /// The number of this use, incremented with every use of either segment.
    var number: UInt64
    /// The last commit before the first frame of this segment.
    ///
    /// It was on disk before the segment was begun.
    var base: LSN
    /// The hash of that commit.
    var chain: ChainHash
    /// A random number.
    var salt: UInt64
    /// The minimum size of the file in bytes since the use began; 0 if it is not known.
    var fileByteCount: UInt64 = 0

    /// Whether another header begins the same use, whatever its salt and recorded length are.
    func isBegun(as other: LogHeader) -> Bool {
        var other = other
        other.salt = salt
        other.fileByteCount = fileByteCount
        return fileByteCount > 0 && other == self
    }

    /// The position of the first frame.
    var start: LogPosition {
        LogPosition(offset: UInt64(LogHeader.byteCount), lsn: base, chain: chain)
    }

    /// Returns the numbers of the copies of a slot.
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

    /// Returns the state of a copy, given its bytes.
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
