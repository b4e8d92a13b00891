import FirnCodec
import FirnTesting
import Foundation
import Testing

/// Places of matches, compared with those that the library of ICU finds.
@Suite("Searches for patterns in texts")
struct PatternSearchTests {
    private func places(_ pattern: String, _ text: String) throws -> [String?]? {
        try places(try PatternSearch(pattern), text)
    }

    private func places(_ search: PatternSearch, _ text: String) throws -> [String?]? {
        Array(text.utf8).withUnsafeBufferPointer { buffer in
            guard search.firstMatch(in: buffer) != nil else { return nil }
            return (0...search.groupCount).map { group in
                search.place(of: group).map { String(decoding: buffer[$0], as: UTF8.self) }
            }
        }
    }

    private static let searches: [(pattern: String, text: String, places: [String?]?)] = [
        ("[0-9]+", "flight 123 of 45", ["123"]),
        ("([a-z]+) ([0-9]+)", "flight 123", ["flight 123", "flight", "123"]),
        ("a|ab", "xab", ["a"]), ("ab|a", "xab", ["ab"]), ("a+?", "aaa", ["a"]),
        ("a*", "baa", [""]), ("(a)|(b)", "b", ["b", nil, "b"]), ("^b", "ab", nil),
        ("b$", "ab", ["b"]), ("\\bcd", "abcd cd", ["cd"]), ("é(.)", "caféß", ["éß", "ß"]),
        ("(?:x|y)(z)", "yz", ["yz", "z"]), ("(a+)(a*)", "aaa", ["aaa", "aaa", ""]),
        ("(a+?)(a*)", "aaa", ["aaa", "a", "aa"]), ("(ab){2}", "xababab", ["abab", "ab"]),
        ("", "abc", [""]), ("x", "", nil),
    ]

    @Test(
        "The first match is found, and at one position the match that a reader expects",
        arguments: searches)
    func known(pattern: String, text: String, expected: [String?]?) throws {
        #expect(try places(pattern, text) == expected, "\(pattern) in \(text)")
    }

    @Test("Random patterns match at the same positions as in ICU")
    func random() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var random = SplitMix64(seed: seed)
        for round in 0..<3_000 {
            var groups = 0
            let pattern = part(&random, 3, &groups)
            let text = String(
                (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                    Array("abcé 1").randomElement(using: &random) ?? "a"
                })
            let reference = try NSRegularExpression(pattern: pattern)
            let whole = NSRange(text.startIndex..., in: text)
            let expected = reference.firstMatch(in: text, range: whole).map { match in
                (0..<match.numberOfRanges).map { group in
                    Range(match.range(at: group), in: text).map { String(text[$0]) }
                }
            }
            #expect(
                try places(pattern, text) == expected,
                "seed \(seed), round \(round): \(pattern) in \(text)")
        }
    }

    @Test("A search that discarded the states built for other strings still finds the same matches")
    func states() throws {
        // The automaton of this pattern has 2 to the power of 14 states.
        let pattern = "([ab]*)a([abé]{13}(\\w)?)"
        let search = try PatternSearch(pattern)
        let reference = try NSRegularExpression(pattern: pattern)
        let seed = UInt64.random(in: 0..<1 << 32)
        var random = SplitMix64(seed: seed)
        // Most of these are of classes that the automaton meets for the first time.
        let characters = Array("ababababababababé中€٣ßǅ\u{200D}\u{2160} ")
        for round in 0..<300 {
            let text = String(
                (0..<100).map { _ in characters.randomElement(using: &random) ?? "a" })
            let units = NSString(string: text)
            let whole = NSRange(location: 0, length: units.length)
            let expected = reference.firstMatch(in: text, range: whole).map { match in
                (0..<match.numberOfRanges).map { group in
                    let range = match.range(at: group)
                    return range.location == NSNotFound ? nil : units.substring(with: range)
                }
            }
            #expect(try places(search, text) == expected, "seed \(seed), round \(round): \(text)")
        }
    }

    /// Returns a random pattern, without repetitions of what can be empty: whether the last of them is
    /// empty differs between libraries.
    private func part(
        _ random: inout SplitMix64, _ depth: Int, _ groups: inout Int
    ) -> String {
        let atoms = ["a", "b", "[ab]", ".", "[^a]", "é", "\\d", "\\w"]
        guard depth > 0 else { return atoms.randomElement(using: &random) ?? "a" }
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
            return part(&random, depth - 1, &groups) + part(&random, depth - 1, &groups)
        case 2:
            return "(?:" + part(&random, depth - 1, &groups) + "|"
                + part(&random, depth - 1, &groups) + ")"
        case 3:
            groups += 1
            return "(" + part(&random, depth - 1, &groups) + ")"
        case 4, 5:
            let sign =
                ["*", "+", "?", "*?", "+?", "??", "{1,2}", "{2}"]
                .randomElement(using: &random) ?? "*"
            return (atoms.randomElement(using: &random) ?? "a") + sign
        case 6: return ["^", "$", "\\b"].randomElement(using: &random) ?? "^"
        default: return atoms.randomElement(using: &random) ?? "a"
        }
    }

    @Test("A pattern that makes a backtracking matcher run forever is searched in linear time")
    func linear() throws {
        let text = String(repeating: "a", count: 20_000)
        #expect(try places("(a*)*b", text) == nil)
        #expect(try places("(a|aa)+$", text)?.count == 2)
        #expect(try places("(x+x+)+y", String(repeating: "x", count: 5_000)) == nil)
    }
}
