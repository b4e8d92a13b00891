/// Text of unknown origin made harmless for a terminal.
///
/// Control characters would move the cursor, change colours or type into the shell, direction
/// marks would show text in another order, and invisible characters would hide in names.
package enum SafeText {
    /// Whether text can be shown as it is.
    package static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = 0
        for byte in utf8 {
            // Without a branch, so that the compiler can look at many bytes at once.
            found |= (byte < 0x20) ? 1 : 0
            found |= (byte >= 0x7F) ? 1 : 0
        }
        return found == 0
    }

    /// Whether a character must not reach a terminal as it is.
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool { escape(for: scalar) != nil }

    /// The text with `\n`, `\t`, `\r`, `\x1b` or `\u{202e}` in place of what is not harmless.
    package static func escaping(_ text: String) -> String {
        var result = ""
        var isUnchanged = true
        for scalar in text.unicodeScalars {
            if let escape = escape(for: scalar) {
                result += escape
                isUnchanged = false
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return isUnchanged ? text : result
    }

    /// One character as it is shown, and the number of terminal columns that it takes.
    package static func shown(_ character: Character) -> (text: String, columns: Int) {
        if character == "\t" { return (" ", 1) }
        let text = escaping(String(character))
        return (text, DisplayWidth.columns(of: text))
    }

    /// The beginning of bytes of unknown origin, for an error message.
    package static func excerpt(of bytes: some Collection<UInt8>, characters: Int = 60) -> String {
        // Four bytes are the longest character: no more than these can be shown.
        let text = String(decoding: bytes.prefix(characters * 4), as: UTF8.self)
        let isCut = bytes.count > characters * 4 || text.count > characters
        return escaping(String(text.prefix(characters))) + (isCut ? "..." : "")
    }

    private static func escape(for scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x0A: "\\n"
        case 0x0D: "\\r"
        case 0x09: "\\t"
        case 0..<0x20, 0x7F..<0xA0: "\\x" + hexadecimal(scalar.value, digits: 2)
        // Marks that set or override the direction of text, line and paragraph separators, and
        // characters that show nothing.
        case 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            "\\u{" + hexadecimal(scalar.value, digits: 4) + "}"
        default: nil
        }
    }

    private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
