import FirnTesting
import FirnValues
import Testing

/// A sign with a combining accent, and a carriage return with a line feed, are one character each for Swift.
///
/// A search for the sign did not find them, so that quotes were not doubled in SQL, and lines that ended as on
/// Windows were one line.
@Suite("Searches for bytes in texts")
struct ByteSearchTests {
    private static let accent = "\u{301}"

    private func bytes(_ texts: [some StringProtocol]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test(
        "ASCII characters before combining accents are found",
        arguments: ["\"", "'", "=", "/", ".", "`", "\\"])
    func combining(sign: String) {
        let text = "a" + sign + Self.accent + "b" + sign + "c"
        #expect(text.contains(sign))
        #expect(bytes(text.split(separator: sign)) == bytes(["a", Self.accent + "b", "c"]))
        #expect(
            Array(text.replacing(sign, with: sign + sign).utf8)
                == Array(("a" + sign + sign + Self.accent + "b" + sign + sign + "c").utf8))
        let first = text.cut(at: sign)
        #expect(
            first.map { bytes([$0.before, $0.after]) }
                == bytes(["a", Self.accent + "b" + sign + "c"]))
        let last = (sign + Self.accent + "b").cut(atLast: sign)
        #expect(last.map { bytes([$0.before, $0.after]) } == bytes(["", Self.accent + "b"]))
        #expect("a".cut(at: sign) == nil && "a".cut(atLast: sign) == nil)
    }

    @Test("Windows line ends also end lines")
    func lines() {
        #expect("a\r\nb\r\n".split(separator: "\n").map { String($0) } == ["a\r", "b\r"])
        #expect("a\r\nb".replacing("\n", with: "\\n") == "a\r\\nb")
    }

    @Test(
        "Ordinary strings are searched as in the standard library", arguments: TestScale.seeds(50))
    func ordinary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<40 {
            let text = String(
                (0..<(random.next() % 12)).map { _ in "ab,".randomElement(using: &random) ?? "a" })
            let splits = Int(random.next() % 4)
            let omits = random.happens(oneIn: 2)
            let expected = text.utf8.split(
                separator: UInt8(ascii: ","), maxSplits: splits, omittingEmptySubsequences: omits)
            #expect(
                text.split(separator: ",", maxSplits: splits, omittingEmptySubsequences: omits).map
                { String($0) }
                    == expected.map { String(decoding: $0, as: UTF8.self) }, "seed \(seed): \(text)"
            )
            #expect(
                text.replacing("ab", with: "b")
                    == text.split(separator: "ab", omittingEmptySubsequences: false).joined(
                        separator: "b"))
        }
    }
}
