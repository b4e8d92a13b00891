import FirnCodec
import FirnValues

extension Bitmap {
    /// The words in little-endian order.
    var storedBytes: [UInt8] {
        var writer = ByteWriter()
        for word in words { writer.u64(word) }
        return writer.bytes
    }

    /// Reads ``storedBytes``, or returns `nil` if there is not exactly one bit per row.
    init?(storedBytes bytes: [UInt8], count: Int) {
        guard bytes.count == (count + 63) / 64 * 8 else { return nil }
        var bitmap = Bitmap(count: count)
        let isClean = bytes.withUnsafeBytes { bytes in
            bitmap.withUnsafeMutableWords { words in
                for index in words.indices {
                    words[index] = UInt64(
                        littleEndian: bytes.loadUnaligned(
                            fromByteOffset: index * 8, as: UInt64.self)
                    )
                }
                guard let last = words.last, count & 63 != 0 else { return true }
                return last >> UInt64(count & 63) == 0
            }
        }
        guard isClean else { return nil }
        self = bitmap
    }
}
