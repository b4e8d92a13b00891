/// What the parser has to say of a command line that is wrong.
struct UsageMessage {
    /// On one line: the values of an option become a list.
    let text: String
    /// What may have been meant.
    let suggestions: [String]
    /// Whether the database is missing, and with it every word that is no option.
    let lacksFile: Bool

    /// - Parameter message: of the parser.
    init(_ message: String) {
        let lines = message.split(separator: "\n").map { $0.drop { $0 == " " } }
        let values = lines.filter { $0.hasPrefix("- ") }.map { String($0.dropFirst(2)) }
        let whole = lines.map { String($0.hasPrefix("- ") ? $0.dropFirst(2) : $0) }
            .joined(separator: ", ").replacing(":, ", with: ": ")
        lacksFile =
            whole == "Missing expected argument '<FILE>'" || whole.hasPrefix("there is no database")
        if let hint = whole.firstRange(of: ". Did you mean '"), whole.hasSuffix("'?") {
            text = String(whole[..<hint.lowerBound])
            suggestions = [String(whole[hint.upperBound...].dropLast(2))]
        } else {
            text = whole
            // Three values or fewer stand in quotes: 'a', 'b' or 'c'.
            let quoted = whole.split(separator: "'", omittingEmptySubsequences: false)
                .map(String.init)
            let others = quoted.indices.filter { $0 > 4 && $0 % 2 == 1 }.map { quoted[$0] }
            suggestions =
                whole.hasPrefix("The value '") && quoted.count > 1
                ? EditDistance.nearest(to: quoted[1], among: values + others) : []
        }
    }

    /// What values look like of which the name says what they are.
    private var forms: String? {
        guard text.hasPrefix("The value '") else { return nil }
        if text.contains("<DURATION") {
            let typed = text.dropFirst(11).prefix { $0 != "'" }
            let isNumber = !typed.isEmpty && typed.allSatisfy { $0.isASCII && $0.isNumber }
            return isNumber
                ? "say the unit: \(["ms", "s", "m", "h", "d"].map { typed + $0 }.joined(separator: ", ")) or \(typed)w"
                : "a duration is such as \(TimeSpan.forms)"
        }
        if text.contains("<SIZE>") { return "a size is such as 4096, 64K, 10M or 2G" }
        if text.contains("<PERCENT>") { return "a part is such as 30%" }
        if text.contains("<NAME=TEXT|NAME:=JSON>") {
            return "NAME=TEXT is a text; NAME:=JSON a number, true, false, null or a \"text\""
        }
        return nil
    }

    /// - Parameter command: whose help says more.
    func diagnostic(of command: String) -> Diagnostic {
        var diagnostic = Diagnostic.usage(
            text,
            remedy: suggestions.first.map { "did you mean \"\($0)\"?" }
                ?? forms ?? "see: firn help \(command)")
        diagnostic.suggestions = suggestions
        return diagnostic
    }
}
