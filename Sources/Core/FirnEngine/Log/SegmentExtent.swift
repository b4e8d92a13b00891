import FirnCodec
import FirnValues

/// The durable length of a segment and the number of the segment that follows.
///
/// Without this record, a segment that is missing or truncated would look like a log that ends
/// earlier, and its acknowledged commits would be lost silently.
///
/// The record is in the sector after that of the header, in the page of each copy of the current
/// slot. A new record is written to the page that does not have the newest one. It is on disk
/// before a commit that depends on it is acknowledged: the length is synced with the first frame
/// that needs it, the next segment before its first frame is written. If a crash tears the record,
/// the previous one remains.
///
///     512  magic          89 'F' 'I' 'R' 'S' 0D 0A 1A
///     520  u64 salt       of the use of the segment that the record is about
///     528  u64 length     bytes of the file
///     536  u64 next       the number of the next segment; 0 while there is none
///     544  u64 XXH64 of the 32 bytes before, seeded with the salt
///
/// A segment made by an earlier build has no record, so its length and successor are unknown.
struct SegmentExtent: Hashable, Sendable {
    static let byteCount = 40
    /// The offset of the record in the page of a header copy.
    static let offset = LogHeader.recordByteCount
    private static let magic: [UInt8] = [0x89, 0x46, 0x49, 0x52, 0x53, 0x0D, 0x0A, 0x1A]

    /// The minimum size of the file in bytes.
    var fileByteCount: UInt64
    /// The number of the segment that begins where this one ends; 0 while there is none.
    var next: UInt64

    /// Returns the mark that follows the last frame of a segment with a successor; it is written if
    /// there is room.
    ///
    /// It is as long as a frame header, but is not a valid one.
    static func endMark(salt: UInt64) -> [UInt8] {
        var writer = ByteWriter(reserving: FrameHeader.byteCount)
        writer.bytes(SegmentExtent.magic)
        writer.u64(salt)
        writer.bytes(Array(repeating: 0, count: FrameHeader.byteCount - writer.count))
        return writer.bytes
    }

    /// Returns the offset in the file of the record of a copy.
    static func offset(ofCopy copy: Int) -> UInt64 {
        LogHeader.offset(ofCopy: copy) + UInt64(offset)
    }

    func record(salt: UInt64) -> [UInt8] {
        var writer = ByteWriter(reserving: SegmentExtent.byteCount)
        writer.bytes(SegmentExtent.magic)
        writer.u64(salt)
        writer.u64(fileByteCount)
        writer.u64(next)
        writer.u64(writer.bytes.withUnsafeBytes { Checksum.xxh64($0, seed: salt) })
        return writer.bytes
    }

    /// Reads a record.
    ///
    /// - Parameter salt: The salt of the current use.
    /// - Returns: `nil` if the record is torn, missing, or of another use.
    init?(_ bytes: UnsafeRawBufferPointer, salt: UInt64) {
        guard bytes.count == SegmentExtent.byteCount, bytes.starts(with: SegmentExtent.magic)
        else { return nil }
        var reader = ByteReader(bytes)
        let covered = UnsafeRawBufferPointer(rebasing: bytes.dropLast(8))
        do throws(CodecError) {
            _ = try reader.bytes(SegmentExtent.magic.count)
            guard try reader.u64() == salt else { return nil }
            fileByteCount = try reader.u64()
            next = try reader.u64()
            guard try reader.u64() == Checksum.xxh64(covered, seed: salt) else { return nil }
        } catch {
            return nil
        }
    }

    init(fileByteCount: UInt64, next: UInt64) {
        self.fileByteCount = fileByteCount
        self.next = next
    }

    /// Whether this record is newer than another; neither number ever decreases.
    func isNewer(than other: SegmentExtent) -> Bool {
        (next, fileByteCount) > (other.next, other.fileByteCount)
    }
}
