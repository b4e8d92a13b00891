import FirnValues

/// Untrusted text inside a Markdown cell.
enum MarkdownText {
    /// Returns the text so that GitHub Flavored Markdown shows it unchanged: it cannot end the cell
    /// or become a tag, a link or emphasis; line ends become `<br>`.
    static func escaping(_ text: String) -> String {
        var result = ""
        var last: Character = " "
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\n", "\r", "\r\n": result += "<br>"
            case "\t": result += " "
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case "|", "\\", "`", "*", "[", "]", "~": result += "\\\(character)"
            case "_":
                // Inside a word, it is not emphasis, and names are easier to read without the
                // escape.
                let isInside = isOfWord(last) && rest.first.map(isOfWord) == true
                result += isInside ? "_" : "\\_"
            default: result += SafeText.escaping(String(character))
            }
            last = character
        }
        return result
    }

    private static func isOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber
    }
}
