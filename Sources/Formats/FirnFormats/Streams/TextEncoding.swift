import FirnCodec
import FirnValues

/// The encoding of a text.
package enum TextEncoding: String, CaseIterable, Sendable {
    case utf8 = "utf-8"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
    case latin1 = "latin1"
    case windows1252 = "windows-1252"

    /// Returns the encoding with a name, in upper or lower case and with or without its dashes.
    package init?(name: String) {
        func plain(_ text: String) -> String {
            text.lowercased().filter { $0 != "-" && $0 != "_" }
        }
        switch plain(name) {
        case "iso88591": self = .latin1
        case "cp1252": self = .windows1252
        case let wanted:
            guard let found = TextEncoding.allCases.first(where: { plain($0.rawValue) == wanted })
            else { return nil }
            self = found
        }
    }

    /// Returns the encoding of a text that begins with the mark of UTF-16.
    package init?(mark beginning: [UInt8]) {
        if beginning.starts(with: [0xFF, 0xFE]) {
            self = .utf16LittleEndian
        } else if beginning.starts(with: [0xFE, 0xFF]) {
            self = .utf16BigEndian
        } else {
            return nil
        }
    }

    /// Returns the encoding of a text with one byte per ASCII character: UTF-8, or Windows-1252 if
    /// its beginning is not UTF-8.
    ///
    /// - Parameter isWhole: whether the beginning is the whole text.
    package static func found(in beginning: [UInt8], isWhole: Bool) -> TextEncoding {
        // A NUL is in no text of Windows-1252.
        guard !beginning.contains(0) else { return .utf8 }
        let error = beginning.withUnsafeBytes { UTF8Validation.firstError(in: $0) }
        guard let error, isWhole || !isCutCharacter(beginning[error...]) else { return .utf8 }
        return .windows1252
    }

    /// Returns whether bytes can be the start of a character of UTF-8 whose rest follows.
    private static func isCutCharacter(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let lead = bytes.first, lead >= 0xC2, bytes.count < 4 else { return false }
        return bytes.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
    }

    /// The name in messages.
    package var title: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16LittleEndian, .utf16BigEndian: "UTF-16"
        case .latin1: "Latin-1"
        case .windows1252: "Windows-1252"
        }
    }

    var isUTF16: Bool { self == .utf16LittleEndian || self == .utf16BigEndian }

    /// Returns the character of a byte in an encoding with one byte per character.
    func scalar(_ byte: UInt8) -> Unicode.Scalar {
        guard self == .windows1252, 0x80..<0xA0 ~= byte else { return Unicode.Scalar(byte) }
        return TextEncoding.highCharacters[Int(byte) - 0x80]
    }

    /// The characters 0x80 to 0x9F of Windows-1252; the bytes that it does not define are control
    /// characters, as in https://encoding.spec.whatwg.org/index-windows-1252.txt.
    private static let highCharacters: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
        "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
        "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}",
        "\u{2014}",
        "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
    ]
}
