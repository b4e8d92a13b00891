import FirnValues

extension TextBuffer {
    /// Appends a JSON string with its quotes: control characters, quotes and backslashes are
    /// escaped, and everything else remains UTF-8.
    package mutating func append(jsonString text: String) {
        var text = text
        text.withUTF8 { append(jsonString: $0) }
    }

    /// Appends a JSON string with its quotes.
    package mutating func append(jsonString text: UnsafeBufferPointer<UInt8>) {
        if escapeNeeded(text) {
            append(UInt8(ascii: "\""))
            for byte in text { append(escaped: byte) }
            append(UInt8(ascii: "\""))
            return
        }
        let target = reserve(text.count &+ 2)
        target[0] = UInt8(ascii: "\"")
        if let base = text.baseAddress { (target + 1).update(from: base, count: text.count) }
        target[text.count &+ 1] = UInt8(ascii: "\"")
        commit(text.count &+ 2)
    }

    private func escapeNeeded(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = 0
        for byte in text {
            // Without a branch, so that the compiler can vectorize the loop.
            found |= byte < 0x20 ? 1 : 0
            found |= byte == 0x22 ? 1 : 0
            found |= byte == 0x5C ? 1 : 0
        }
        return found != 0
    }

    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0x08: append("\\b")
        case 0x0C: append("\\f")
        case 0..<0x20:
            append("\\u00")
            append(hexadecimal: byte)
        default: append(byte)
        }
    }

    /// Appends two hexadecimal digits in lower case.
    package mutating func append(hexadecimal byte: UInt8) {
        for digit in [byte >> 4, byte & 15] {
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
