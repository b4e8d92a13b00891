import FirnValues

/// A typed dot command, split into words.
struct DotCommandWords: Hashable {
    /// The name, without the dot.
    let name: String
    /// The text after the name, without surrounding spaces.
    let rest: String
    /// The rest split at spaces; quotes keep a word together, and a backslash escapes the next
    /// character.
    let words: [String]
    /// The start of each word in ``rest``.
    private let starts: [String.Index]

    /// - Parameter line: the line, starting with the dot.
    init(_ line: String) {
        let body = line.dropFirst()
        let name = body.unicodeScalars.prefix { !$0.properties.isWhitespace }
        self.name = String(name)
        let behind = body.unicodeScalars[name.endIndex...].drop(while: \.properties.isWhitespace)
        let last = behind.lastIndex { !$0.properties.isWhitespace }
        rest = last.map { String(behind[...$0]) } ?? ""
        (words, starts) = DotCommandWords.split(rest)
    }

    /// Returns the text after this many words, as typed.
    func rest(after count: Int) -> String {
        count < starts.count ? String(rest[starts[count]...]) : ""
    }

    private static func split(_ text: String) -> ([String], [String.Index]) {
        var words: [String] = []
        var starts: [String.Index] = []
        var word: String?
        var quote: Unicode.Scalar?
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            let start = index
            index = scalars.index(after: index)
            if quote == nil, scalar.properties.isWhitespace {
                if let finished = word { words.append(finished) }
                word = nil
                continue
            }
            if word == nil {
                starts.append(start)
                word = ""
            }
            if let open = quote, scalar == open {
                quote = nil
            } else if quote == nil, scalar == "'" || scalar == "\"" {
                quote = scalar
            } else if scalar == "\\", quote != "'", index < scalars.endIndex {
                word?.unicodeScalars.append(scalars[index])
                index = scalars.index(after: index)
            } else {
                word?.unicodeScalars.append(scalar)
            }
        }
        // Free text can contain an unclosed quote; the last word is then kept as it is.
        if let finished = word { words.append(finished) }
        return (words, starts)
    }
}
