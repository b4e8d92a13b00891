import FirnCodec
import FirnTesting
import FirnValues
import Foundation
import Testing

@Suite("Regular expressions")
struct RegularExpressionTests {
    private func matches(
        _ pattern: String, _ text: String, _ options: TextPattern.Options = []
    ) throws -> Bool {
        TextMatcher(try TextPattern(matching: pattern, options)).matches(.string(text))
    }

    @Test(
        "A pattern must match the whole string",
        arguments: [
            ("abc", "abc", true), ("abc", "abcd", false), ("b", "abc", false), ("", "", true),
            ("", "a", false), ("a.c", "axc", true), ("a.c", "a\nc", false), (".", "é", true),
            ("a|bc", "bc", true), ("a|bc", "ac", false), ("(a|b)c", "bc", true), ("a*", "", true),
            ("a+", "", false), ("ab?c", "ac", true), ("a{2,3}", "aa", true),
            ("a{2,3}", "aaaa", false),
            ("a{2}", "aaa", false), ("a{2,}", "aaaaa", true), ("(?:ab)*", "abab", true),
            ("[a-c]x", "bx", true), ("[^a-c]x", "bx", false), ("[]a]", "]", true),
            ("[a-]", "-", true), ("\\d+", "2013", true), ("\\d", "x", false),
            ("\\w+", "a_1é", true),
            ("\\W", "-", true), ("\\s", "\t", true), ("[\\d-]+", "1-2", true),
            ("a\\.b", "a.b", true),
            ("a\\.b", "axb", false), ("^a$", "a", true), ("a\\b.b", "a-b", true),
            ("a\\Bb", "ab", true), ("\\u00e9", "é", true), ("\\x41", "A", true),
            ("\\p{Lu}\\p{Ll}+", "Élan", true), ("\\P{L}", "1", true), ("(a*)*", "aaa", true),
            ("(a|aa)+", "aaaaa", true), ("a**?", "a", nil), ("日.語", "日本語", true),
            ("a*?b", "aab", true),
        ] as [(String, String, Bool?)])
    func whole(pattern: String, text: String, expected: Bool?) throws {
        guard let expected else {
            #expect(throws: PatternError.self) { try matches(pattern, text) }
            return
        }
        #expect(try matches(pattern, text) == expected)
    }

    @Test("[c] and [d] apply to characters and classes")
    func options() throws {
        #expect(try matches("[A-C]+é", "abÉ", .caseInsensitive))
        #expect(try !matches("[A-C]+é", "abE", .caseInsensitive))
        #expect(try matches("elan|é+", "Élan", [.caseInsensitive, .diacriticInsensitive]))
        #expect(try matches("[é]", "e", .diacriticInsensitive))
        #expect(try matches("σ+", "ςΣ", .caseInsensitive))
    }

    @Test(
        "A syntax error has a position",
        arguments: [
            ("a(b", 1..<2, "this ( has no closing )"), ("ab)", 2..<3, "this ) closes no group"),
            ("a[b", 1..<2, "this [ has no closing ]"),
            ("*a", 0..<1, "there is nothing before * to repeat"),
            ("a\\1", 1..<3, "a reference to a group is not supported"),
            ("(?=a)", 0..<3, "this kind of group is not supported"),
            ("a{2", 1..<3, "this { has no closing }"),
            ("a{3,2}", 1..<6, "the first number is greater than the second one"),
            ("a{9999}", 1..<6, "a part is repeated more than 1000 times"),
            ("[b-a]", 1..<4, "the first character of a range comes after its last one"),
            ("a\\q", 1..<3, "unknown escape \\q"), ("a\\", 1..<2, "nothing follows the \\"),
            ("\\p{Xx}", 0..<6, "unknown property"), ("a{,2}", 1..<2, "a number is missing after {"),
        ] as [(String, Range<Int>, String)])
    func mistakes(pattern: String, range: Range<Int>, message: String) {
        let error = #expect(throws: PatternError.self) { try matches(pattern, "") }
        #expect(error?.message == message)
        #expect(error?.range == range)
    }

    @Test("A pattern that is too large is an error, whatever makes it large")
    func limits() {
        for pattern in [
            "(a{1000}){1000}",
            String(repeating: "(", count: 101) + String(repeating: ")", count: 101),
            String(repeating: "ab|", count: 3_000),
        ] {
            let error = #expect(throws: PatternError.self) { try matches(pattern, "") }
            #expect(error?.isLimit == true)
        }
    }

    /// A backtracking engine needs 2^n steps for these.
    @Test("Matching takes linear time, even if there are many ways to match")
    func linear() throws {
        let text = String(repeating: "a", count: 100_000)
        #expect(try !matches("(a*)*b", text))
        #expect(try !matches("(a|aa)+b", text))
        #expect(try !matches("(a|a)*c", text + "é"))
        #expect(try matches("(.*)(.*)(.*)(.*)(.*)a", text))
    }

    /// Each level once repeated its empty part 1,000 times.
    @Test("Repetitions of an empty pattern take no time")
    func nothing() throws {
        let pattern = String(repeating: "(", count: 40) + String(repeating: "){1000}", count: 40)
        #expect(try matches(pattern, ""))
        #expect(try !matches(pattern, "a"))
        #expect(try matches("(a?){1000}", "aaa"))
    }

    /// Their automaton would have 2^12 states, so all steps are followed instead.
    @Test("A pattern with a large automaton matches too")
    func large() throws {
        let pattern = "(a|b)*a" + String(repeating: "(a|b)", count: 12)
        let end = String(repeating: "b", count: 12)
        #expect(try matches(pattern, "abba" + end))
        #expect(try !matches(pattern, "abbb" + end))
    }

    @Test("Random patterns match the same strings as NSRegularExpression", arguments: 0..<4)
    func random(round: Int) throws {
        var generator = SplitMix64(seed: UInt64(round) &* 7_919 &+ 17)
        for _ in 0..<400 {
            let pattern = Self.pattern(&generator, depth: 3)
            let expression = try NSRegularExpression(pattern: pattern)
            for _ in 0..<8 {
                let text = Self.text(&generator)
                let range = NSRange(location: 0, length: text.utf16.count)
                let whole =
                    try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
                    .firstMatch(in: text, range: range) != nil
                _ = expression
                #expect(
                    try matches(pattern, text) == whole, "\(pattern) of \"\(text)\", round \(round)"
                )
            }
        }
    }

    private static func text(_ generator: inout SplitMix64) -> String {
        let letters = ["a", "b", "c", "A", "1", "é", "-"]
        return (0..<Int.random(in: 0...6, using: &generator)).map { _ in
            letters.randomElement(using: &generator) ?? ""
        }.joined()
    }

    private static func pattern(_ generator: inout SplitMix64, depth: Int) -> String {
        func part() -> String { pattern(&generator, depth: depth - 1) }
        switch depth > 0 ? Int.random(in: 0..<10, using: &generator) : 9 {
        case 0, 1, 2: return part() + part()
        case 3: return "(\(part())|\(part()))"
        case 4: return "(?:\(part()))*"
        case 5: return "(\(part()))?"
        case 6: return "(\(part())){1,2}"
        case 7: return "(\(part()))+"
        default:
            return ["a", "b", ".", "[ab]", "[^a]", "\\d", "\\w", "[a-c1]", "é", "\\W", "A", "\\b"]
                .randomElement(using: &generator) ?? "a"
        }
    }
}
