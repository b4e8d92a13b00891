/// The base64 of RFC 4648, section 4: the alphabet with `+` and `/`, always padded.
package enum Base64 {
    private static let alphabet: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// Decodes a text.
    ///
    /// - Returns: `nil` for any text that ``encode(_:_:)`` does not write.
    package static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0, !text.isEmpty else { return text.isEmpty ? [] : nil }
        var padding = 0
        while padding < 2, text[text.count - 1 - padding] == UInt8(ascii: "=") { padding += 1 }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        for index in 0..<text.count - padding {
            guard let six = sixBits(text[index]) else { return nil }
            bits = bits << 6 | six
            if index % 4 == 3 {
                append(bits, count: 3, to: &bytes)
                bits = 0
            }
        }
        switch padding {
        case 0: return bytes
        case 1:
            // Three characters are 18 bits, of which the lowest two are unused.
            guard bits & 0b11 == 0 else { return nil }
            append(bits << 6, count: 2, to: &bytes)
        default:
            guard bits & 0b1111 == 0 else { return nil }
            append(bits << 12, count: 1, to: &bytes)
        }
        return bytes
    }

    /// Appends the upper `count` bytes of 24 bits.
    private static func append(_ bits: UInt32, count: Int, to bytes: inout [UInt8]) {
        for index in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * index)))
        }
    }

    private static func sixBits(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 48 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// Returns the number of characters in the text of `byteCount` bytes.
    package static func encodedCount(_ byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

    /// Returns the text of bytes.
    package static func encoded(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: encodedCount(bytes.count)) { text in
            guard let target = text.baseAddress else { return 0 }
            bytes.withUnsafeBufferPointer { encode($0, target) }
            return encodedCount(bytes.count)
        }
    }

    /// Writes the text of bytes to memory with room for ``encodedCount(_:)`` characters.
    package static func encode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>
    ) {
        let alphabet = alphabet.utf8Start
        var target = target
        var index = 0
        while index < bytes.count {
            let left = min(3, bytes.count - index)
            var bits: UInt32 = 0
            for offset in 0..<3 {
                bits = bits << 8 | (offset < left ? UInt32(bytes[index + offset]) : 0)
            }
            for offset in 0..<4 {
                let six = Int(bits >> UInt32(18 - 6 * offset) & 63)
                target[offset] = offset <= left ? alphabet[six] : UInt8(ascii: "=")
            }
            target += 4
            index += 3
        }
    }

    /// Returns the text of bytes.
    package static func text(of bytes: [UInt8]) -> String {
        let count = encodedCount(bytes.count)
        return String(unsafeUninitializedCapacity: count) { text in
            guard let target = text.baseAddress else { return 0 }
            bytes.withUnsafeBufferPointer { encode($0, target) }
            return count
        }
    }
}
