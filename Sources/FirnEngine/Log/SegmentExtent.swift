import FirnCodec
import FirnValues

/// The length of a segment and the number of the segment that follows, as they are on disk.
///
/// A segment that is missing, or shorter than it was, is otherwise nothing but a log that ends earlier:
/// its acknowledged commits would be gone without a word.
///
/// The record is in the sector behind the header's own, in the page of each copy of the slot that
/// counts. A new one is written to the page that does not have the newest, and on disk before a
/// commit that depends on it is acknowledged: the length is synced with the first frame that needs
/// it, the next segment before its first frame is written. A crash that tears the record leaves the
/// one before.
///
///     512  magic          89 'F' 'I' 'R' 'S' 0D 0A 1A
///     520  u64 salt       of the use of the segment that the record is about
///     528  u64 length     bytes of the file
///     536  u64 next       the number of the next segment; 0 while there is none
///     544  u64 XXH64 of the 32 bytes before, seeded with the salt
///
/// A segment that an earlier build made has neither; nothing is known of it then.
struct SegmentExtent: Hashable, Sendable {
    static let byteCount = 40
    /// In the page of a copy of the header.
    static let offset = LogHeader.recordByteCount
    private static let magic: [UInt8] = [0x89, 0x46, 0x49, 0x52, 0x53, 0x0D, 0x0A, 0x1A]

    /// The file is at least this long.
    var fileByteCount: UInt64
    /// The number of the segment that begins where this one ends; 0 while there is none.
    var next: UInt64

    /// What is behind the last frame of a segment that another one follows, if there is room: as long as the
    /// header of a frame, and none.
    static func endMark(salt: UInt64) -> [UInt8] {
        var writer = ByteWriter(reserving: FrameHeader.byteCount)
        writer.bytes(SegmentExtent.magic)
        writer.u64(salt)
        writer.bytes(Array(repeating: 0, count: FrameHeader.byteCount - writer.count))
        return writer.bytes
    }

    /// The offset of the record of a copy in the file.
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
    /// - Parameter salt: of the use that counts.
    /// - Returns: `nil` for a record of another use, a torn one, and where there is none.
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

    /// Whether this says more than another one: neither number ever becomes smaller.
    func isNewer(than other: SegmentExtent) -> Bool {
        (next, fileByteCount) > (other.next, other.fileByteCount)
    }
}
