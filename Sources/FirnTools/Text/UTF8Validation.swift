/// Finds the first byte that is not UTF-8 according to the Unicode standard: no overlong forms, no
/// surrogates, nothing beyond U+10FFFF.
enum UTF8Validation {
    /// Returns the offset of the first invalid sequence, or `nil`.
    static func firstError(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        while index < bytes.count {
            if bytes[index] < 0x80 {
                index += 1
                continue
            }
            guard let length = sequenceLength(bytes, index) else { return index }
            index += length
        }
        return nil
    }

    /// Returns the length of the multi-byte sequence at `index`; `nil` if it is invalid.
    private static func sequenceLength(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int
    ) -> Int? {
        // Table 3-7 of the Unicode standard: the second byte is restricted, and all further bytes
        // are alike.
        let length: Int
        let second: ClosedRange<UInt8>
        switch bytes[index] {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard bytes.count - index >= length, second.contains(bytes[index + 1]) else { return nil }
        for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 { return nil }
        return length
    }
}
