import FirnQuery
import FirnSyntax
import FirnTesting
import FirnValues
import Testing

/// Texts in plans, in `.code` and in completions, which terminals show.
@Suite("The canonical spelling of hostile texts")
struct CanonicalEscapeTests {
    private static let harmful: [Unicode.Scalar] = [
        "\u{0}", "\u{7}", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{61C}", "\u{200B}",
        "\u{200E}", "\u{2028}", "\u{202E}", "\u{2066}", "\u{FEFF}", "\u{FFF9}", "\u{E0041}",
    ]

    /// Marks of direction were printed unchanged.
    @Test("Characters that can harm a terminal are escaped", .tags(.security))
    func literals() throws {
        for scalar in CanonicalEscapeTests.harmful {
            let text = "a\(scalar)b"
            let literal = Canonical.literal(.string(text))
            #expect(HostileText.harmful(in: literal).isEmpty, "\(literal.debugDescription)")
            #expect(literal.hasPrefix("\"a\\") && literal.hasSuffix("b\""))
            // The canonical text of a query must bind to the same query.
            #expect(try rich("name == $t", arguments: ["t": .string(text)]) == "name == \(literal)")
        }
    }

    @Test("All other text is unchanged", .tags(.security))
    func others() {
        for text in ["\u{E9}", "e\u{301}", "\u{65E5}\u{672C}", "\u{1F44D}", "\u{5D0}", "\u{200D}"] {
            #expect(Canonical.literal(.string(text)) == "\"\(text)\"")
        }
    }
}
