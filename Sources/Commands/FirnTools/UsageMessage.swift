package import FirnFormats
import FirnValues

/// The parser's message about an invalid command line.
package struct UsageMessage {
    /// The message on one line; the values of an option become a list.
    let text: String
    /// The suggested corrections.
    let suggestions: [String]
    /// Whether the database is missing, which means that every word is an option.
    let lacksFile: Bool

    /// The correction, if it is more than a name.
    private var remedy: String?

    /// - Parameters:
    ///   - message: the message of the parser.
    ///   - words: the command line without the command.
    package init(_ message: String, words: [String] = []) {
        let lines = message.split(separator: "\n").map { $0.drop { $0 == " " } }
        let values = lines.filter { $0.hasPrefix("- ") }.map { String($0.dropFirst(2)) }
        let whole = lines.map { String($0.hasPrefix("- ") ? $0.dropFirst(2) : $0) }
            .joined(separator: ", ").replacing(":, ", with: ": ")
        lacksFile =
            whole == "Missing expected argument '<FILE>'" || whole.hasPrefix("no database given")
        if let foreign = ForeignOption.remedy(in: words), whole.contains("Unknown option '-") {
            let option = words.first { ForeignOption.remedy(in: [$0]) != nil } ?? ""
            text = "Unknown option '\(option)'"
            suggestions = []
            remedy = foreign
        } else if let hint = whole.firstRange(of: ". Did you mean '"), whole.hasSuffix("'?") {
            text = String(whole[..<hint.lowerBound])
            suggestions = [String(whole[hint.upperBound...].dropLast(2))]
        } else if let (option, value) = UsageMessage.negative(whole, words) {
            text = "the \(value) after \(option) looks like an option"
            suggestions = []
            remedy =
                "numbers are at least 0; a text that begins with a minus is \(option)=\(value)"
        } else if let joined = UsageMessage.joined(whole) {
            text = "Unknown option '\(joined)'"
            suggestions = ["\(joined.prefix(2)) \(joined.dropFirst(2))"]
        } else {
            text = whole
            // Up to three values are in quotes: 'a', 'b' or 'c'.
            let quoted = whole.split(separator: "'", omittingEmptySubsequences: false)
                .map(String.init)
            let others = quoted.indices.filter { $0 > 4 && $0 % 2 == 1 }.map { quoted[$0] }
            let known = values + others + UsageMessage.words(for: whole)
            suggestions =
                whole.hasPrefix("The value '") && quoted.count > 1
                ? NearestNames.misspelt(quoted[1], among: known) : []
        }
    }

    /// Returns an option whose value is missing because the next word begins with a minus.
    private static func negative(
        _ message: String, _ words: [String]
    ) -> (option: String, value: String)? {
        let start = "Missing value for '"
        guard message.hasPrefix(start) else { return nil }
        let option = String(message.dropFirst(start.count).prefix { $0 != " " && $0 != "'" })
        guard let index = words.firstIndex(of: option), index + 1 < words.count else { return nil }
        let value = words[index + 1]
        guard value.hasPrefix("-"), value.dropFirst().first?.isNumber == true else { return nil }
        return (option, value)
    }

    /// Returns a single-letter option that is directly followed by its value: `-fcsv`.
    private static func joined(_ message: String) -> String? {
        guard message.hasPrefix("Unknown option '-"), message.contains(", or: Missing value for '-")
        else { return nil }
        return String(message.dropFirst(16).prefix { $0 != "'" })
    }

    /// Returns the words that the value of an option can consist of.
    private static func words(for message: String) -> [String] {
        if message.contains("'--ops <") { return ["insert", "update", "delete"] }
        if message.contains("'--on-error <") { return ["abort", "skip", "save=FILE"] }
        return []
    }

    /// The form of a value, if the name of the value identifies it.
    private var forms: String? {
        guard text.hasPrefix("The value '") else { return nil }
        if text.contains("<DURATION") {
            let typed = text.dropFirst(11).prefix { $0 != "'" }
            let isNumber = !typed.isEmpty && typed.allSatisfy { $0.isASCII && $0.isNumber }
            let units = ["ms", "s", "m", "h", "d"].map { "\(typed)\($0)" }
            return isNumber
                ? "add a unit: \(units.joined(separator: ", ")) or \(typed)w"
                : "a duration looks like \(TimeSpan.forms)"
        }
        if text.contains("'--ops <") { return "insert, update, delete, or several with commas" }
        if text.contains("'--on-error <") { return "choose abort, skip or save=FILE" }
        if text.contains("<N>") { return "give a whole number such as 100" }
        if text.contains("<SIZE>") { return "give a size such as 4096, 64K, 10M or 2G" }
        if text.contains("<PERCENT>") { return "give a percentage such as 30%" }
        if text.contains("<NAME=TEXT|NAME:=JSON>") {
            return
                "use NAME=TEXT for a string, and NAME:=JSON for a number, true, false or null"
        }
        return nil
    }

    /// - Parameter command: the command whose help has the details.
    package func diagnostic(of command: String) -> Diagnostic {
        var suggestions = suggestions
        // Users often type the input after the database to create.
        if command == "create", let input = unexpected { suggestions = ["--from \(input)"] }
        var diagnostic = Diagnostic.usage(
            text,
            remedy: remedy ?? suggestions.first.map { "did you mean \"\($0)\"?" }
                ?? forms ?? "see: firn help \(command)")
        diagnostic.suggestions = suggestions
        return diagnostic
    }

    /// The first unexpected argument.
    private var unexpected: String? {
        guard text.lowercased().contains("unexpected argument") else { return nil }
        let quoted = text.split(separator: "'", omittingEmptySubsequences: false)
        return quoted.count > 2 ? String(quoted[1]) : nil
    }
}
