import FirnValues

/// The order of keys: byte by byte, a prefix before what it begins.
enum KeyOrder {
    /// How the left bytes lie to the right ones.
    static func order(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Ordering {
        let common = min(left.count, right.count)
        var at = 0
        // Eight bytes at a time: the first different byte decides, which is the highest one of the
        // big-endian word.
        while at + 8 <= common {
            let leftWord = left.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            let rightWord = right.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            if leftWord != rightWord {
                return UInt64(bigEndian: leftWord) < UInt64(bigEndian: rightWord)
                    ? .less : .greater
            }
            at += 8
        }
        while at < common {
            if left[at] != right[at] { return left[at] < right[at] ? .less : .greater }
            at += 1
        }
        return Ordering(left.count, right.count)
    }

    /// How the left bytes lie to the right ones.
    static func order(_ left: [UInt8], _ right: [UInt8]) -> Ordering {
        left.withUnsafeBytes { left in right.withUnsafeBytes { right in order(left, right) } }
    }
}
