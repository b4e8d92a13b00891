/// A dot command as it was typed, cut into words.
struct DotCommandWords: Hashable {
    /// Without the dot.
    let name: String
    /// Everything behind the name, without blanks around it.
    let rest: String
    /// The rest cut at blanks; quotes keep a word together, a backslash keeps the next character.
    let words: [String]
    /// Where each word begins in ``rest``.
    private let starts: [String.Index]

    /// - Parameter line: from the dot on.
    init(_ line: String) {
        let body = line.dropFirst()
        let name = body.prefix { !$0.isWhitespace }
        self.name = String(name)
        let behind = body[name.endIndex...].drop(while: \.isWhitespace)
        let last = behind.lastIndex { !$0.isWhitespace }
        rest = last.map { String(behind[...$0]) } ?? ""
        (words, starts) = DotCommandWords.split(rest)
    }

    /// What stands behind so many words, as it was typed.
    func rest(after count: Int) -> String {
        count < starts.count ? String(rest[starts[count]...]) : ""
    }

    private static func split(_ text: String) -> ([String], [String.Index]) {
        var words: [String] = []
        var starts: [String.Index] = []
        var word: String?
        var quote: Character?
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            let start = index
            index = text.index(after: index)
            if quote == nil, character.isWhitespace {
                if let finished = word { words.append(finished) }
                word = nil
                continue
            }
            if word == nil {
                starts.append(start)
                word = ""
            }
            if let open = quote, character == open {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else if character == "\\", quote != "'", index < text.endIndex {
                word?.append(text[index])
                index = text.index(after: index)
            } else {
                word?.append(character)
            }
        }
        // What is free text may hold a lone quote: whoever wants words finds the last one as it is.
        if let finished = word { words.append(finished) }
        return (words, starts)
    }
}
