import FirnValues

/// Text of unknown origin inside of a cell of Markdown.
enum MarkdownText {
    /// The text so that a reader of GitHub flavoured Markdown shows it as it is: nothing in it ends
    /// the cell, becomes a tag, a link or an emphasis; line ends become `<br>`.
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
                // Inside of a word it is no emphasis, and names are easier to read without it.
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
