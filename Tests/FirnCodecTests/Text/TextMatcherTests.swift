import FirnCodec
import FirnValues
import Testing

@Suite("Text patterns")
struct TextMatcherTests {
    private typealias Row = (
        kind: TextPattern.Kind, operand: String, options: TextPattern.Options, text: String,
        matches: Bool
    )
    private static let both: TextPattern.Options = [.caseInsensitive, .diacriticInsensitive]

    private func check(_ rows: [Row]) {
        for row in rows {
            let matcher = TextMatcher(TextPattern(row.kind, row.operand, row.options))
            #expect(matcher.matches(.string(row.text)) == row.matches, "\(row)")
        }
    }

    @Test("BEGINSWITH, ENDSWITH and CONTAINS match prefixes, suffixes and substrings")
    func parts() {
        check([
            (.beginsWith, "N7", [], "N712", true), (.beginsWith, "N7", [], "n712", false),
            (.beginsWith, "N7", [], "N", false), (.endsWith, "12", [], "N712", true),
            (.endsWith, "12", [], "2", false), (.contains, "71", [], "N712", true),
            (.contains, "72", [], "N712", false), (.contains, "aab", [], "aaab", true),
            (.equal, "é", [], "e\u{301}", false), (.notEqual, "a", [], "b", true),
            (.equal, "", [], "", true),
        ])
    }

    @Test("No string contains an empty operand, and LIKE \"\" matches the empty string")
    func emptyOperands() {
        for kind in [TextPattern.Kind.beginsWith, .endsWith, .contains] {
            check([(kind, "", [], "a", false), (kind, "", Self.both, "", false)])
            // Only a mark remains.
            check([(kind, "\u{301}", .diacriticInsensitive, "e\u{301}", false)])
        }
        check([(.like, "", [], "", true), (.like, "", [], "a", false)])
    }

    @Test("[c] folds the case of all of Unicode")
    func cases() {
        check([
            (.equal, "STRASSE", .caseInsensitive, "straße", true),
            // The capital letter is the uppercase of itself, and was not folded.
            (.equal, "ẞ", .caseInsensitive, "ß", true), (.equal, "ss", .caseInsensitive, "ẞ", true),
            (.equal, "ΣΊΣΥΦΟΣ", .caseInsensitive, "σίσυφος", true),
            (.equal, "éÀ", .caseInsensitive, "Éà", true),
            (.equal, "k", .caseInsensitive, "\u{212A}", true),
            (.equal, "i", .caseInsensitive, "ı", false),
            (.equal, "e", .caseInsensitive, "é", false),
            (.contains, "SPECIAL", .caseInsensitive, "a special one", true),
            (.contains, "@", .caseInsensitive, "`", false),
            (.beginsWith, "äÖ", .caseInsensitive, "Äöx", true),
            (.endsWith, "Ж", .caseInsensitive, "жж", true),
            (.like, "*ÖL?", .caseInsensitive, "rohölé", true),
        ])
    }

    @Test("[d] ignores marks, however they are written")
    func diacritics() {
        check([
            (.equal, "resume", .diacriticInsensitive, "résumé", true),
            (.equal, "e", .diacriticInsensitive, "e\u{301}\u{323}", true),
            (.equal, "é", .diacriticInsensitive, "e", true),
            (.equal, "E", .diacriticInsensitive, "é", false),
            (.equal, "E", Self.both, "é", true), (.contains, "ANG", Self.both, "Ånger", true),
            (.equal, "ø", .diacriticInsensitive, "o", false),
            (.equal, "I", Self.both, "İ", true), (.equal, "한", .diacriticInsensitive, "한", true),
            (.like, "?", .diacriticInsensitive, "한", true),
            (.like, "caf?", .diacriticInsensitive, "cafe\u{301}", true),
            (.equal, "ệ", .diacriticInsensitive, "ê\u{323}", true),
        ])
    }

    @Test("LIKE: * matches any run, ? one character, and \\ makes the next character literal")
    func like() {
        check([
            (.like, "*", [], "", true), (.like, "?", [], "", false), (.like, "?", [], "é", true),
            (.like, "??", [], "é", false), (.like, "?", [], "\u{10FFFF}", true),
            (.like, "a*c", [], "abbc", true), (.like, "a*c", [], "abcd", false),
            (.like, "*a*b*", [], "xxaxxbxx", true), (.like, "*ab*ab", [], "abab", true),
            (.like, "*ab*ab", [], "aab", false), (.like, "a\\*c", [], "a*c", true),
            (.like, "a\\*c", [], "abc", false), (.like, "\\\\", [], "\\", true),
            (.like, "a\\", [], "a\\", true), (.like, "**?**", [], "é", true),
            (.like, "*é?", [], "aéü", true), (.like, "*?é", [], "é", false),
        ])
    }

    @Test("LIKE agrees with the plain definition for all short strings and patterns")
    func likeExhaustive() {
        func words(_ alphabet: [String], _ length: Int) -> [String] {
            guard length > 0 else { return [""] }
            let shorter = words(alphabet, length - 1)
            return shorter + shorter.flatMap { word in alphabet.map { word + $0 } }
        }
        func matches(_ pattern: Substring, _ text: Substring) -> Bool {
            guard let first = pattern.first else { return text.isEmpty }
            if first == "*" {
                return matches(pattern.dropFirst(), text)
                    || !text.isEmpty && matches(pattern, text.dropFirst())
            }
            guard let head = text.first, first == "?" || first == head else { return false }
            return matches(pattern.dropFirst(), text.dropFirst())
        }
        let texts = Set(words(["a", "é"], 4))
        for pattern in Set(words(["a", "é", "*", "?"], 4)) {
            let matcher = TextMatcher(TextPattern(.like, pattern))
            for text in texts {
                let expected = matches(pattern[...], text[...])
                #expect(matcher.matches(.string(text)) == expected, "\(pattern) \(text)")
            }
        }
    }

    @Test("A pattern built to be slow is fast", .tags(.security), .timeLimit(.minutes(1)))
    func noBlowUp() {
        let text = Value.string(String(repeating: "a", count: 20_000))
        let pattern = String(repeating: "*a", count: 60) + "*b"
        #expect(!TextMatcher(TextPattern(.like, pattern)).matches(text))
    }

    @Test("Only strings match a text pattern")
    func otherValues() {
        #expect(!TextMatcher(TextPattern(.like, "*")).matches(.null))
        #expect(!TextMatcher(TextPattern(.contains, "1")).matches(.int(1)))
        #expect(TextMatcher(TextPattern(.notEqual, "1")).matches(.null))
    }

    @Test("Byte patterns match only Data")
    func bytes() {
        let data: [UInt8] = [0xFF, 0x2A, 0xC3, 0x28, 0x00]
        func matches(_ kind: TextPattern.Kind, _ operand: [UInt8]) -> Bool {
            TextMatcher(TextPattern(kind, bytes: operand)).matches(.data(data))
        }
        #expect(matches(.beginsWith, [0xFF, 0x2A]) && !matches(.beginsWith, [0x2A]))
        #expect(matches(.endsWith, [0x28, 0]) && !matches(.endsWith, [0x28]))
        #expect(matches(.contains, [0xC3]) && !matches(.contains, []))
        #expect(matches(.equal, data) && !matches(.notEqual, data))
        // `?` is one byte, even one that is not a character; `\*` is the byte 2A.
        let (any, run, escape) = (UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "\\"))
        #expect(matches(.like, [any, any, any, any, any]))
        #expect(!matches(.like, [any, any, any, any]))
        #expect(matches(.like, [0xFF, escape, run, run]) && matches(.like, [run, 0xC3, run, 0]))
        #expect(!matches(.like, [escape, run, run]))
        #expect(!TextMatcher(TextPattern(.like, bytes: [run])).matches(.string("a")))
        #expect(!TextMatcher(TextPattern(.like, "*")).matches(.data(data)))
        #expect(TextMatcher(TextPattern(.notEqual, "*")).matches(.data(data)))
    }
}
