import FirnValues

/// Comparison and search of bytes.
///
/// The order of UTF-8 bytes is the order of code points.
///
/// Swift's `String ==` is never used, because it treats different spellings of the same letter as
/// equal.
enum ByteStrings {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    static func order(_ left: Bytes, _ right: Bytes) -> Ordering {
        let common = min(left.count, right.count)
        if common > 0, let leftBase = left.baseAddress, let rightBase = right.baseAddress {
            let leftRaw = UnsafeRawPointer(leftBase)
            let rightRaw = UnsafeRawPointer(rightBase)
            var at = 0
            while at <= common - 8 {
                let leftWord = leftRaw.u64(at)
                let rightWord = rightRaw.u64(at)
                if leftWord != rightWord {
                    return leftWord.byteSwapped < rightWord.byteSwapped ? .less : .greater
                }
                at += 8
            }
            while at < common {
                if leftBase[at] != rightBase[at] {
                    return leftBase[at] < rightBase[at] ? .less : .greater
                }
                at += 1
            }
        }
        return Ordering(left.count, right.count)
    }

    @inline(__always)
    static func isEqual(
        _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int
    ) -> Bool {
        let leftRaw = UnsafeRawPointer(left)
        let rightRaw = UnsafeRawPointer(right)
        var at = 0
        while at <= count - 8 {
            if leftRaw.u64(at) != rightRaw.u64(at) { return false }
            at += 8
        }
        while at < count {
            if left[at] != right[at] { return false }
            at += 1
        }
        return true
    }

    static func isEqual(_ left: Bytes, _ right: Bytes) -> Bool {
        guard left.count == right.count else { return false }
        guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else {
            return true
        }
        return isEqual(leftBase, rightBase, left.count)
    }

    static func hasPrefix(_ text: Bytes, _ prefix: Bytes) -> Bool {
        guard text.count >= prefix.count else { return false }
        return isEqual(Bytes(rebasing: text[..<prefix.count]), prefix)
    }
}
