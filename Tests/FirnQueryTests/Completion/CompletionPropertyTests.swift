import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

/// Walks through the language by accepting one candidate after the other.
@Suite("Completion and the grammar")
struct CompletionPropertyTests {
    /// Endings that complete a text which a candidate left unfinished.
    private static let endings = [
        "", " x", " 1", " == 1", ")", "}", " x == 1", " x)", " 1)", " 1}", " == 1)", "; @count)",
        " = 1", "x)", "x", " x; @count)", ".@count == 1", ").@count == 1", ").@count",
        "x, $v, x == 1).@count", " $v, x == 1).@count", ", $v, x == 1).@count",
        ", x == 1).@count", " x == 1).@count", " == 1).@count", " 1).@count", "\"", "))",
        "x = Plane; y == x.z)", " Plane; y == x.z)", "; y == x.z)", " = Plane; y == x.z)",
    ]

    private static func accepts(_ text: String) -> Bool {
        (try? Statement.parse(text, entry: .statement)) != nil
    }

    /// Whether some continuation makes it a statement.
    private static func extends(_ text: String) -> Bool {
        // Calls may be nested deeper than two endings close.
        let open = text.utf8.count { $0 == UInt8(ascii: "(") }
        let closed = text.utf8.count { $0 == UInt8(ascii: ")") }
        let closing = String(repeating: ")", count: max(0, open - closed))
        return endings.contains { first in
            [text + first, text + first + closing].contains { text in
                endings.contains { accepts(text + $0) }
            }
        }
    }

    @Test(
        "Every candidate can be extended to a query that the parser accepts",
        arguments: TestScale.seeds(6))
    func candidatesExtend(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var environment = QueryCompletion.CommandEnvironment()
        environment.texts = { _, _, _ in ["Oslo", "O\"Hara\\"] }
        let completion = QueryCompletion(
            entry: .statement,
            in: richContext(seed % 2 == 0 ? nil : "Flight", arguments: ["min": .int(3)]),
            environment)
        for _ in 0..<2 {
            var text = ""
            for _ in 0..<8 {
                let found = completion.completion(of: text)
                guard let chosen = found.candidates.randomElement(using: &random) else { break }
                let head = String(decoding: Array(text.utf8.prefix(found.start)), as: UTF8.self)
                for candidate in found.candidates.shuffled(using: &random).prefix(3) + [chosen] {
                    let next = head + candidate.text
                    #expect(
                        CompletionPropertyTests.extends(next),
                        "\(next) cannot go on, seed \(seed)")
                }
                text = head + chosen.text + (chosen.append.map(String.init) ?? "")
                // A value, so that walks get past comparisons.
                if Bool.random(using: &random), CompletionPropertyTests.accepts(text + "1") {
                    text += "1 "
                }
                // A partial word is completed as well.
                if Int.random(in: 0..<4, using: &random) == 0 { text += "n" }
            }
        }
    }

    @Test("Completion never fails or takes long, whatever the input")
    func hostile() {
        var random = SplitMix64(seed: 7)
        let pieces = [
            "Person ", "Flight ", "plane.", "(", ")", "{", "}", "\"", "'", "`", "$", "@", "|", ";",
            "==", "SUBQUERY(", "dogs, ", "$d, ", "name ", "AND ", "SORT(", "--", "\n", "é", "\u{0}",
            "[", "]", "12", ".", "group(", "set ", "_", ":", "B64\"", "%@", "@links.",
        ]
        let completion = QueryCompletion(entry: .statement, in: richContext(nil))
        for _ in 0..<TestScale.scaled(60) {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            let found = completion.completion(of: text)
            #expect(found.start <= text.utf8.count)
        }
        let deep = "Person " + String(repeating: "(", count: 1_000)
        #expect(completion.completion(of: deep).candidates.isEmpty)
    }
}
