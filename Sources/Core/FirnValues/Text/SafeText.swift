/// Makes text of unknown origin harmless for a terminal.
///
/// Control characters could move the cursor, change colors or type into the shell. Direction marks
/// could reorder text, and invisible characters could be hidden in names.
package enum SafeText {
    /// Returns whether text can be shown unchanged.
    package static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = 0
        for byte in utf8 {
            // Branch-free, so that the compiler can vectorize the loop.
            found |= (byte < 0x20) ? 1 : 0
            found |= (byte >= 0x7F) ? 1 : 0
        }
        return found == 0
    }

    /// Returns whether a character must be escaped for a terminal.
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool { escape(for: scalar) != nil }

    /// Returns the text with harmful characters escaped as `\n`, `\t`, `\r`, `\x1b` or `\u{202e}`.
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

    /// Returns a character in its displayed form, and its number of terminal columns.
    package static func shown(_ character: Character) -> (text: String, columns: Int) {
        if character == "\t" { return (" ", 1) }
        let text = escaping(String(character))
        return (text, DisplayWidth.columns(of: text))
    }

    /// Returns the beginning of bytes of unknown origin, for an error message.
    package static func excerpt(of bytes: some Collection<UInt8>, characters: Int = 60) -> String {
        // A character has at most four bytes, so no more than these can be shown.
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
        // Marks that set or override the text direction, line and paragraph separators, and
        // invisible characters.
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
