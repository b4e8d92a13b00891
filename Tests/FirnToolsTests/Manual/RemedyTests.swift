import Testing

@testable import FirnTools

/// Errors recommended options that the command lacks, and changes of a schema that are none.
@Suite("The commands in messages")
struct RemedyTests {
    private static let folders = [
        "Commands/FirnTools", "Commands/FirnShell", "Core/FirnEngine", "Language/FirnQuery",
        "Formats/RealmFile",
    ]

    /// A command in a message, up to the end of its words.
    private struct Mention: CustomTestStringConvertible {
        let file: String
        let verb: String
        let rest: String

        var testDescription: String { "\(file): firn \(verb)\(rest)" }
    }

    private static func mentions() throws -> [Mention] {
        try folders.flatMap { try SourceTexts.all(in: "Sources/\($0)") }.flatMap { file, text in
            text.split(separator: "\n").flatMap { line in
                line.ranges(of: "firn ").compactMap { range -> Mention? in
                    let isWord = line[..<range.lowerBound].last.map { " `(:".contains($0) } ?? true
                    let after = line[range.upperBound...]
                    let rest = after[
                        ..<(after.firstRange(of: "firn ")?.lowerBound ?? after.endIndex)]
                    let verb = rest.prefix { $0.isLetter && $0.isLowercase }
                    guard isWord, CommandName(rawValue: String(verb)) != nil else { return nil }
                    let end = rest.firstIndex { ";`|".contains($0) } ?? rest.endIndex
                    return Mention(
                        file: file, verb: String(verb),
                        rest: String(rest[verb.endIndex..<max(verb.endIndex, end)]))
                }
            }
        }
    }

    @Test("Each command in a message accepts the options given in that message")
    func options() throws {
        var count = 0
        for mention in try Self.mentions() {
            for option in RemedyCheck.options(in: mention.rest) {
                count += 1
                let names = RemedyCheck.names(of: mention.verb)
                #expect(names.contains(option) == true, "\(mention.testDescription): \(option)")
            }
        }
        #expect(count > 20)
    }

    @Test("Each schema change in a message can be read by alter")
    func changes() throws {
        let texts = try Self.folders.flatMap { try SourceTexts.all(in: "Sources/\($0)") }
        var count = 0
        for (file, text) in texts {
            for range in text.ranges(of: "firn alter FILE '") {
                let change = text[range.upperBound...].prefix { $0 != "'" }
                count += 1
                #expect(throws: Never.self, "\(file): \(change)") {
                    var parser = try SchemaChangeParser([String(change)])
                    _ = try parser.changes()
                }
            }
        }
        #expect(count > 2)
    }

    @Test("Each option in a message belongs to a command")
    func names() throws {
        let known = CommandName.allCases.map { RemedyCheck.names(of: $0.rawValue) }
            .reduce(into: Set<String>()) { $0.formUnion($1) }
        for (file, text) in try Self.folders.flatMap({ try SourceTexts.all(in: "Sources/\($0)") }) {
            // A text of one word is a declaration, and those of other programs are theirs.
            guard text.contains(" "), !text.contains("swift build"), !text.contains("jq ") else {
                continue
            }
            for option in RemedyCheck.options(in: text)
            where option.hasPrefix("--") && option.count > 3 {
                #expect(known.contains(option) == true, "\(file): \(option) in \(text)")
            }
        }
    }

    @Test("A remedy with an option of another command fails the test that causes it")
    func check() {
        withKnownIssue {
            RemedyCheck.check(["query", "f"], errors: "error: x\n  skip them with --skip-errors\n")
        }
        withKnownIssue {
            RemedyCheck.check(["query", "f"], errors: "error: x\n  use firn alter --batch 100\n")
        }
        RemedyCheck.check(["query", "f"], errors: "error: --bogus\n  use firn write --batch 100\n")
    }
}
