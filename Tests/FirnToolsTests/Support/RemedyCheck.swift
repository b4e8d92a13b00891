import Synchronization
import Testing

@testable import FirnTools

/// Checks the remedies that any test causes: each recommends options that its command has.
enum RemedyCheck {
    private static let known = Mutex<[String: Set<String>]>([:])

    /// - Parameter errors: the standard error of a failed command.
    static func check(_ words: [String], errors: String) {
        guard let verb = words.first.flatMap(CommandName.init(rawValue:))?.rawValue,
            !words.contains("json")
        else { return }
        // The lines after the message; an excerpt of an input comes before its position.
        for line in errors.split(separator: "\n") where line.hasPrefix("  ") {
            let options = options(in: line).filter { $0.hasPrefix("--") }
            guard !options.isEmpty else { continue }
            var names = names(of: verb)
            for other in CommandName.allCases where line.contains("firn \(other.rawValue)") {
                names.formUnion(self.names(of: other.rawValue))
            }
            for option in options where !names.contains(option) {
                Issue.record("\(words): firn \(verb) has no \(option): \(errors)")
            }
        }
    }

    /// The options in a text: `--batch`, `-o`.
    static func options(in text: some StringProtocol) -> [String] {
        var words: [String] = [""]
        for character in text {
            if character.isWhitespace || ",:;.()[]{}'`\"|".contains(character) {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words.map { String($0.prefix { $0 != "=" }) }.filter { word in
            word.hasPrefix("-") && word.drop { $0 == "-" }.first?.isLetter == true
        }
    }

    static func names(of verb: String) -> Set<String> {
        if let names = known.withLock({ $0[verb] }) { return names }
        guard let names = try? ParserOptions(of: verb).names else { return [] }
        known.withLock { $0[verb] = names }
        return names
    }
}
