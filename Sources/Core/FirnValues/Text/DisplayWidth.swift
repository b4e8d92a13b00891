/// The number of terminal columns that text takes.
///
/// Terminals differ for rare characters. These are the rules that most of them share: wide and
/// fullwidth characters of East Asian scripts and emoji take two columns; combining marks and
/// invisible characters take none; all other characters take one. Marks that stand beside their letter,
/// as in Devanagari and Thai, take a column of their own.
package enum DisplayWidth {
    /// Returns the number of columns of a text without control characters.
    package static func columns(of text: some StringProtocol) -> Int {
        var sum = 0
        for character in text { sum += columns(of: character) }
        return sum
    }

    /// Returns the number of columns of a user-perceived character, which may consist of many
    /// scalars.
    package static func columns(of character: Character) -> Int {
        var (widest, added) = (0, 0)
        for scalar in character.unicodeScalars {
            if takesOwnColumn(scalar) {
                added += 1
                continue
            }
            // Variation selector 16 requests the emoji form of the preceding scalar.
            if scalar.value == 0xFE0F { return 2 }
            widest = max(widest, columns(of: scalar))
        }
        return widest + added
    }

    /// Returns whether a mark is displayed beside its letter although it belongs to the same
    /// character.
    private static func takesOwnColumn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300: false
        case 0xE33, 0xEB3: true  // the vowel am of Thai and Lao
        case 0xFF9E, 0xFF9F: true  // the halfwidth voicing marks of Kana
        default: scalar.properties.generalCategory == .spacingMark
        }
    }

    package static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value == 0xAD ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return isWide(scalar.value) ? 2 : 1
    }

    /// Returns whether a character has the East Asian width W or F (Unicode Standard Annex 11).
    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        return wideRanges.contains { $0.contains(value) }
    }

    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // Hangul Jamo that begin a syllable
        0x2329...0x232A,  // angle brackets
        0x2E80...0x303E,  // radicals, CJK punctuation
        0x3041...0x33FF,  // Kana, Bopomofo, compatibility letters
        0x3400...0x4DBF,  // CJK extension A
        0x4E00...0x9FFF,  // CJK
        0xA000...0xA4CF,  // Yi
        0xA960...0xA97F,  // Hangul Jamo extended A
        0xAC00...0xD7A3,  // Hangul syllables
        0xF900...0xFAFF,  // CJK compatibility
        0xFE30...0xFE6F,  // vertical and small forms
        0xFF00...0xFF60,  // fullwidth forms
        0xFFE0...0xFFE6,  // fullwidth signs
        0x16FE0...0x18DFF,  // Tangut, Khitan
        0x1AFF0...0x1B2FF,  // Kana extensions
        0x1F200...0x1F251,  // ideographs in squares
        0x20000...0x3FFFD,  // CJK extensions B and later
    ]
}
