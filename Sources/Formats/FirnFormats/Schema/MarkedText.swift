import FirnValues

/// The characters of a request, some of which are in quotes.
struct MarkedText {
    private(set) var characters: [(value: Character, isQuoted: Bool)] = []

    /// Creates the text; `nil` if a quote is not closed.
    init?(_ text: String) {
        var isInside = false
        var isEscaped = false
        for character in text {
            if isEscaped {
                characters.append((character == "n" ? "\n" : character, true))
                isEscaped = false
            } else if isInside, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isInside.toggle()
            } else {
                characters.append((character, isInside))
            }
        }
        if isInside { return nil }
    }

    func first(_ mark: Character, in range: Range<Int>) -> Int? {
        range.first { characters[$0] == (mark, false) }
    }

    func last(_ mark: Character, in range: Range<Int>) -> Int? {
        range.last { characters[$0] == (mark, false) }
    }

    /// Returns a name without the spaces around it.
    func name(_ range: Range<Int>) -> String {
        String(trimmed(range).map { characters[$0].value })
    }

    /// Returns one name, or several in parentheses; `nil` if the parentheses are not closed.
    func names(_ range: Range<Int>) -> [String]? {
        let range = trimmed(range)
        guard range.first.map({ characters[$0] == ("(", false) }) ?? false else {
            return [name(range)]
        }
        guard range.count > 2, characters[range.upperBound - 1] == (")", false) else { return nil }
        var names: [String] = []
        var rest = range.dropFirst().dropLast()
        while let comma = first(",", in: rest) {
            names.append(name(rest.lowerBound..<comma))
            rest = comma + 1..<rest.upperBound
        }
        return names + [name(rest)]
    }

    /// Returns a range without the spaces around it.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        func isSpace(_ index: Int) -> Bool {
            !characters[index].isQuoted && characters[index].value.isWhitespace
        }
        guard let first = range.first(where: { !isSpace($0) }),
            let last = range.last(where: { !isSpace($0) })
        else { return range.lowerBound..<range.lowerBound }
        return first..<last + 1
    }
}
