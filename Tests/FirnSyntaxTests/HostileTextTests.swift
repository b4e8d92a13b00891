import FirnSyntax
import FirnTesting
import FirnValues
import Testing

@Suite("Hostile texts")
struct HostileTextTests {
    private func code(_ text: String) -> QueryError.Code? {
        do {
            _ = try Statement.parse(text, entry: .pipeline)
            return nil
        } catch { return error.code }
    }

    @Test(
        "Deep nesting is a typed error", .tags(.security),
        arguments: [
            "(", "NOT ", "!", "{", "x IN {", "- x == -(", "f(", "SUBQUERY(a, $b, ", "a == (",
        ])
    func deep(opening: String) {
        #expect(code(String(repeating: opening, count: 10_000) + "a > 3") == .limit)
    }

    @Test("128 levels are allowed, and 129 are refused", .tags(.security))
    func nestingLimit() {
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
        }
        #expect(code(nested(128)) == nil)
        #expect(code(nested(129)) == .limit)
        #expect(code(String(repeating: "NOT ", count: 128) + "a") == nil)
        #expect(code(String(repeating: "NOT ", count: 129) + "a") == .limit)
    }

    @Test("100,000 conditions in a row are allowed, and one more is refused", .tags(.security))
    func flatChain() throws {
        let text = String(repeating: "a=1||", count: 99_999) + "a=1"
        let statement = try Statement.parse(text, entry: .predicate)
        guard case .filter(.or(let operands, _)) = statement.stages.first?.kind else {
            Issue.record("not an OR")
            return
        }
        #expect(operands.count == 100_000)
        #expect(code(text + "||a=1") == .limit)
        #expect(code(String(repeating: "a=1&&", count: 100_000) + "a=1") == .limit)
    }

    @Test("A list has at most 100,000 elements", .tags(.security))
    func longList() {
        let most = "x IN {" + String(repeating: "1,", count: 99_999) + "1"
        #expect(code(most + "}") == nil)
        #expect(code(most + ",1}") == .limit)
    }

    @Test("A statement over 1 MiB is rejected", .tags(.security))
    func longText() {
        let name = String(repeating: "a", count: (1 << 20) - 4)
        #expect(code("\(name) > 3") == nil)
        #expect(code("\(name)a > 3") == .limit)
        #expect(code(String(repeating: "1", count: 1 << 20)) == .limit)
    }

    @Test(
        "A statement of maximum size with one repeated token is parsed fast", .tags(.security),
        arguments: [
            "a+", "a.", "a,", "|a ", "'", "\\", "`", "[", "a[0]", "- ", "--", ";", "1d", "\u{e9}",
        ])
    func repetitions(token: String) {
        let count = QueryLimits.textBytesMax / token.utf8.count
        _ = code(String(repeating: token, count: count))
    }

    @Test("Random bytes never trap", .tags(.security), arguments: [1, 2, 3, 4] as [UInt64])
    func randomBytes(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<1_000 {
            let count = Int.random(in: 0...60, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = String(decoding: bytes, as: UTF8.self)
            check(text, seed)
        }
    }

    @Test(
        "Random token soups never trap", .tags(.security), arguments: [11, 12, 13, 14] as [UInt64])
    func randomTokens(seed: UInt64) {
        let tokens = [
            "a", "b.c", "AND", "OR", "NOT", "(", ")", "{", "}", "[", "]", "[c]", ",", ".", "|",
            ";", "==", "=", "<", "!", "IN", "BETWEEN", "CONTAINS", "ANY", "5", "-", "+", "*",
            "1.5", "'s'", "$x", "@count", "@id", "SORT(", "LIMIT(", "project(", "AS", "count",
            "2013-01-01", "7d", "now()", "SUBQUERY(", "set", "delete", "nil", "true", "`q`", "--",
            "\n", "_", ":", "WHERE", "DESC", "explain", "f(", "group(", "TRUEPREDICATE",
        ]
        var generator = SplitMix64(seed: seed)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...25, using: &generator)
            let soup = (0..<count).compactMap { _ in tokens.randomElement(using: &generator) }
            check(soup.joined(separator: Bool.random(using: &generator) ? " " : ""), seed)
        }
    }

    /// Parses a text with every entry; an error must point into the text and be printable.
    private func check(_ text: String, _ seed: UInt64) {
        for entry in [QueryEntry.predicate, .pipeline, .statement] {
            do {
                let statement = try Statement.parse(text, entry: entry)
                let again = try Statement.parse(TreePrinter.text(statement), entry: .statement)
                if entry != .predicate {
                    #expect(
                        again.stages == statement.stages, "seed \(seed): \(text.debugDescription)")
                }
            } catch {
                #expect(
                    error.range.upperBound <= text.utf8.count,
                    "seed \(seed): \(text.debugDescription)")
                _ = error.render(source: text)
            }
        }
    }
}
