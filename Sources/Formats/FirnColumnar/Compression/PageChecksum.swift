import CZlib
import FirnValues

/// The checksum of the pages of Parquet.
enum PageChecksum {
    /// Returns the CRC-32 of bytes, as used by gzip.
    static func crc32(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        var checksum: UInt = 0
        var rest = bytes
        while !rest.isEmpty {
            // The count of zlib has 32 bits.
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
            let start = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            checksum = UInt(CZlib.crc32(numericCast(checksum), start, numericCast(piece.count)))
            rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
        }
        return UInt32(truncatingIfNeeded: checksum)
    }
}
