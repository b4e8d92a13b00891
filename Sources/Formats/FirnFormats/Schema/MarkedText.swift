import FirnValues

/// The code points of a request, some of which are in quotes.
struct MarkedText {
    private(set) var scalars: [(value: Unicode.Scalar, isQuoted: Bool)] = []

    /// Creates the text; `nil` if a quote is not closed.
    init?(_ text: String) {
        var isInside = false
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                scalars.append((scalar == "n" ? "\n" : scalar, true))
                isEscaped = false
            } else if isInside, scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                isInside.toggle()
            } else {
                scalars.append((scalar, isInside))
            }
        }
        if isInside { return nil }
    }

    func first(_ mark: Unicode.Scalar, in range: Range<Int>) -> Int? {
        range.first { scalars[$0] == (mark, false) }
    }

    func last(_ mark: Unicode.Scalar, in range: Range<Int>) -> Int? {
        range.last { scalars[$0] == (mark, false) }
    }

    /// Returns a name without the spaces around it.
    func name(_ range: Range<Int>) -> String {
        String(String.UnicodeScalarView(trimmed(range).map { scalars[$0].value }))
    }

    /// Returns one name, or several in parentheses; `nil` if the parentheses are not closed.
    func names(_ range: Range<Int>) -> [String]? {
        let range = trimmed(range)
        guard range.first.map({ scalars[$0] == ("(", false) }) ?? false else {
            return [name(range)]
        }
        guard range.count > 2, scalars[range.upperBound - 1] == (")", false) else { return nil }
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
            !scalars[index].isQuoted && scalars[index].value.properties.isWhitespace
        }
        guard let first = range.first(where: { !isSpace($0) }),
            let last = range.last(where: { !isSpace($0) })
        else { return range.lowerBound..<range.lowerBound }
        return first..<last + 1
    }
}
