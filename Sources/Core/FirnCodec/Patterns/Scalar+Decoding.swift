import FirnValues

extension Unicode.Scalar {
    /// Returns the character at a position of valid UTF-8, and its length in bytes.
    static func decoded(
        at position: Int, in text: UnsafeBufferPointer<UInt8>
    ) -> (scalar: Unicode.Scalar, width: Int) {
        let lead = text[position]
        guard lead >= 0x80 else { return (Unicode.Scalar(lead), 1) }
        let width = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var value = UInt32(lead) & (0x7F >> UInt32(width))
        for index in position + 1..<max(position + 1, min(text.count, position + width)) {
            value = value << 6 | UInt32(text[index] & 0x3F)
        }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", min(width, text.count - position))
    }
}
