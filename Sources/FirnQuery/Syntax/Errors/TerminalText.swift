/// How text from outside looks on a terminal.
enum TerminalText {
    /// The text with characters that a terminal would obey, or not show, spelled out.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var result = ""
        for scalar in text.unicodeScalars { append(scalar, to: &result) }
        return result
    }

    /// One character as it is shown, and the number of terminal columns that it takes.
    static func shown(_ character: Character) -> (text: String, width: Int) {
        if character == "\t" { return (" ", 1) }
        guard character.unicodeScalars.contains(where: isHarmful) else {
            return (String(character), width(character))
        }
        var text = ""
        for scalar in character.unicodeScalars { append(scalar, to: &text) }
        return (text, text.reduce(0) { $0 + width($1) })
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        guard isHarmful(scalar) else {
            text.unicodeScalars.append(scalar)
            return
        }
        let digits = String(scalar.value, radix: 16)
        text +=
            scalar.value < 0x100
            ? "\\x" + (digits.count < 2 ? "0" : "") + digits : "\\u{\(digits)}"
    }

    /// Controls, and what turns the direction of writing or breaks lines.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    // MARK: Width

    private static func width(_ character: Character) -> Int {
        var widest = 0
        for scalar in character.unicodeScalars {
            if scalar.value == 0xFE0F { return 2 }
            widest = max(widest, width(scalar))
        }
        return widest
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        if wide.contains(where: { $0.contains(scalar.value) }) { return 2 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }

    /// The blocks of East Asian wide characters and of emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
