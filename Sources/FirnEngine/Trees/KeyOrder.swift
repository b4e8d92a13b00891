import FirnValues

/// The order of keys: byte by byte, with a prefix before its extensions.
enum KeyOrder {
    /// Returns the order of two keys.
    static func order(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Ordering {
        let common = min(left.count, right.count)
        var at = 0
        // Eight bytes are compared at a time: the first different byte decides, which is the
        // highest different one of the big-endian words.
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

    /// Returns the order of two keys.
    static func order(_ left: [UInt8], _ right: [UInt8]) -> Ordering {
        left.withUnsafeBytes { left in right.withUnsafeBytes { right in order(left, right) } }
    }
}
