import FirnValues

/// The hexadecimal digits.
private let digits: StaticString = "0123456789abcdef"

extension TextBuffer {
    /// Appends two hexadecimal digits per byte, in lower case.
    package mutating func append(hexadecimal bytes: UnsafeBufferPointer<UInt8>) {
        let target = reserve(bytes.count * 2)
        for (index, byte) in bytes.enumerated() {
            target[index * 2] = digits.utf8Start[Int(byte >> 4)]
            target[index * 2 + 1] = digits.utf8Start[Int(byte & 15)]
        }
        commit(bytes.count * 2)
    }

    /// Appends sixteen bytes in the 8-4-4-4-12 form.
    package mutating func append(uuid bytes: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for end in [4, 6, 8, 10, bytes.count] {
            if start > 0 { append(UInt8(ascii: "-")) }
            append(hexadecimal: UnsafeBufferPointer(rebasing: bytes[start..<end]))
            start = end
        }
    }
}

extension Base64 {
    /// Appends the Base64 text of bytes.
    package static func encode(_ bytes: UnsafeBufferPointer<UInt8>, to buffer: inout TextBuffer) {
        let count = encodedCount(bytes.count)
        encode(bytes, buffer.reserve(count))
        buffer.commit(count)
    }
}
