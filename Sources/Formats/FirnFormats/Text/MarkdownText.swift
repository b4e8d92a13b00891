import FirnValues

/// Untrusted text inside a Markdown cell.
enum MarkdownText {
    /// Returns the text so that GitHub Flavored Markdown shows it unchanged: it cannot end the cell
    /// or become a tag, a link or emphasis; line ends become `<br>`.
    static func escaping(_ text: String) -> String {
        var result = ""
        var last: Unicode.Scalar = " "
        // By code points: a sign with a combining accent is still one in Markdown.
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\n" where last == "\r": break
            case "\n", "\r": result += "<br>"
            case "\t": result += " "
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case "|", "\\", "`", "*", "[", "]", "~": result += "\\\(scalar)"
            case "_":
                // Inside a word, it is not emphasis, and names are easier to read without the
                // escape.
                let isInside = isOfWord(last) && rest.first.map(isOfWord) == true
                result += isInside ? "_" : "\\_"
            default: result += SafeText.escaping(String(scalar))
            }
            last = scalar
        }
        return result
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
