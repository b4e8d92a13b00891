import ArgumentParser
import FirnValues

/// `plane=tailnum:Plane.tailnum`: a link property to fill from columns with keys.
///
/// Several properties are written as `hour=(origin, time):Weather.(origin, time)`. A name with one
/// of these marks is in quotes.
struct LinkRequest: ExpressibleByArgument, Hashable {
    /// The class that gets the property, if given.
    let className: String?
    let property: String
    /// The properties whose values identify the targets.
    let sources: [String]
    let targetClassName: String
    let targetProperties: [String]
    /// The request as written, for errors: `--link plane=tailnum:Plane.tailnum`.
    let label: String
    /// The request without the option or the verb.
    let text: String

    init(
        className: String, property: String, sources: [String], targetClassName: String,
        targetProperties: [String]
    ) {
        self.className = className
        self.property = property
        self.sources = sources
        self.targetClassName = targetClassName
        self.targetProperties = targetProperties
        label = "\(className).\(property)"
        text = label
    }

    init?(argument: String) {
        self.init(argument, label: "--link \(SafeText.escaping(argument))")
    }

    /// Parses a request; `nil` if it is not one, or is incomplete.
    init?(_ text: String, label: String) {
        guard let marked = MarkedText(text) else { return nil }
        let all = marked.characters.indices
        guard let equals = marked.first("=", in: all),
            let colon = marked.last(":", in: equals + 1..<all.upperBound)
        else { return nil }
        self.text = text
        self.label = label
        var left = 0..<equals
        className = marked.first(".", in: left).map { dot in
            defer { left = dot + 1..<equals }
            return marked.name(0..<dot)
        }
        property = marked.name(left)
        guard let sources = marked.names(equals + 1..<colon),
            let dot = marked.first(".", in: colon + 1..<all.upperBound),
            let targets = marked.names(dot + 1..<all.upperBound)
        else { return nil }
        self.sources = sources
        targetClassName = marked.name(colon + 1..<dot)
        targetProperties = targets
        let parts = [property, targetClassName, className ?? "-"] + sources + targets
        if parts.contains(where: \.isEmpty) { return nil }
    }
}

/// The characters of a request, some of which are in quotes.
private struct MarkedText {
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

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        func isSpace(_ index: Int) -> Bool {
            !characters[index].isQuoted && characters[index].value.isWhitespace
        }
        guard let first = range.first(where: { !isSpace($0) }),
            let last = range.last(where: { !isSpace($0) })
        else { return range.lowerBound..<range.lowerBound }
        return first..<last + 1
    }
}
