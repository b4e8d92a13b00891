import FirnValues

/// Parses a regular expression: the common part of the syntaxes of ICU, PCRE and Swift, without
/// constructs that cannot be matched in linear time.
///
///     choice     = sequence { "|" sequence }
///     sequence   = { atom [ ( "*" | "+" | "?" | "{" n [ "," [ m ] ] "}" ) [ "?" ] ] }
///     atom       = character | "." | "^" | "$" | class | escape | "(" [ "?:" ] choice ")"
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private let ignoresCase: Bool
    private var position = 0
    private var depth = 0
    private var groupCount = 0

    /// - Parameter ignoresCase: whether sets of characters ignore case.
    static func parse(
        _ pattern: String, ignoresCase: Bool
    ) throws(PatternError) -> PatternNode {
        var parser = PatternParser(pattern, ignoresCase)
        let node = try parser.parseChoice()
        guard parser.position == parser.scalars.count else {
            throw parser.error("this ) closes no group", hint: "write \\) for the character")
        }
        return node
    }

    private init(_ pattern: String, _ ignoresCase: Bool) {
        scalars = Array(pattern.unicodeScalars)
        self.ignoresCase = ignoresCase
    }

    // MARK: Characters

    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        let index = position + distance
        return scalars.indices.contains(index) ? scalars[index] : nil
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        position += 1
        return true
    }

    /// Returns the error for the text from a position to the current one, at least one character.
    private func error(
        _ message: String, from start: Int? = nil, hint: String? = nil
    ) -> PatternError {
        let start = min(start ?? position, max(0, scalars.count - 1))
        let end = max(position, min(start + 1, scalars.count))
        return PatternError(message, start..<end, hint: hint)
    }

    // MARK: Structure

    private mutating func parseChoice() throws(PatternError) -> PatternNode {
        var choices = [try parseSequence()]
        while take("|") { choices.append(try parseSequence()) }
        return choices.count == 1 ? choices[0] : .choice(choices)
    }

    private mutating func parseSequence() throws(PatternError) -> PatternNode {
        var parts: [PatternNode] = []
        while let scalar = peek(), scalar != "|", scalar != ")" {
            let atom = try parseAtom()
            parts.append(try parseRepetition(of: atom))
        }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func parseRepetition(
        of atom: PatternNode
    ) throws(PatternError) -> PatternNode {
        let bounds: (min: Int, max: Int?)
        switch peek() {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{": bounds = try parseCount()
        default: return atom
        }
        position += 1
        let isLazy = take("?")
        if let next = peek(), "*+?{".unicodeScalars.contains(next) {
            position += 1
            throw error(
                "a repetition cannot be repeated", from: position - 1,
                hint: "put the first one in parentheses")
        }
        return .repetition(atom, min: bounds.min, max: bounds.max, isLazy: isLazy)
    }

    /// Parses `{2}`, `{2,}` or `{2,4}` up to the closing brace.
    private mutating func parseCount() throws(PatternError) -> (min: Int, max: Int?) {
        let start = position
        position += 1
        guard let least = try parseNumber(from: start) else {
            throw error(
                "a number is missing after {", from: start, hint: "write \\{ for the character")
        }
        var most: Int? = least
        if take(",") { most = try parseNumber(from: start) }
        guard peek() == "}" else {
            throw error("this { has no closing }", from: start, hint: "such as {2,4}")
        }
        if let most, most < least {
            position += 1
            throw error("the first number is greater than the second one", from: start)
        }
        return (least, most)
    }

    private mutating func parseNumber(from start: Int) throws(PatternError) -> Int? {
        var number: Int?
        while let scalar = peek(), ("0"..."9").contains(scalar) {
            position += 1
            number = (number ?? 0) * 10 + Int(scalar.value - 0x30)
            guard number ?? 0 <= PatternLimits.repetitionMax else {
                throw PatternError(
                    "a part is repeated more than \(PatternLimits.repetitionMax) times",
                    start..<position, isLimit: true)
            }
        }
        return number
    }

    // MARK: Atoms

    private mutating func parseAtom() throws(PatternError) -> PatternNode {
        let start = position
        guard let scalar = peek() else { return .empty }
        position += 1
        switch scalar {
        case ".": return .set(.anyButLineEnd)
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case "(": return try parseGroup(from: start)
        case "[": return .set(folded(try parseClass(from: start)))
        case "\\": return try parseEscape(from: start)
        case "*", "+", "?", "{":
            throw error(
                "there is nothing before \(scalar) to repeat", from: start,
                hint: scalar == "*"
                    ? "write .* for any text" : "write \\\(scalar) for the character"
            )
        default: return .set(folded(ScalarSet(scalar)))
        }
    }

    private func folded(_ set: ScalarSet) -> ScalarSet {
        var set = set
        set.ignoresCase = ignoresCase
        return set
    }

    private mutating func parseGroup(from start: Int) throws(PatternError) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= PatternLimits.nestingMax else {
            throw PatternError(
                "more than \(PatternLimits.nestingMax) groups inside of each other",
                start..<position, isLimit: true)
        }
        let isCounted = !take("?")
        if !isCounted, !take(":") {
            position += 1
            throw error(
                "this kind of group is not supported", from: start, hint: "groups are ( ) and (?: )"
            )
        }
        if isCounted { groupCount += 1 }
        let number = groupCount
        let node = try parseChoice()
        guard take(")") else {
            position = start + 1
            throw error("this ( has no closing )", from: start, hint: "write \\( for the character")
        }
        return isCounted ? .group(number, node) : node
    }

    private mutating func parseEscape(from start: Int) throws(PatternError) -> PatternNode {
        switch peek() {
        case "b":
            position += 1
            return .assertion(.wordBoundary)
        case "B":
            position += 1
            return .assertion(.noWordBoundary)
        case "A":
            position += 1
            return .assertion(.start)
        case "z", "Z":
            position += 1
            return .assertion(.end)
        default: return .set(folded(try parseEscapedSet(from: start)))
        }
    }

    /// Parses the characters that an escape represents, after the backslash.
    private mutating func parseEscapedSet(from start: Int) throws(PatternError) -> ScalarSet {
        guard let scalar = peek() else {
            throw error("nothing follows the \\", from: start, hint: "write \\\\ for the character")
        }
        position += 1
        switch scalar {
        case "d": return ScalarSet(.digit)
        case "D": return ScalarSet(.digit, isNegated: true)
        case "w": return ScalarSet(.word)
        case "W": return ScalarSet(.word, isNegated: true)
        case "s": return ScalarSet(.space)
        case "S": return ScalarSet(.space, isNegated: true)
        case "p", "P": return try parseProperty(isNegated: scalar == "P", from: start)
        case "t": return ScalarSet("\t")
        case "n": return ScalarSet("\n")
        case "r": return ScalarSet("\r")
        case "f": return ScalarSet("\u{0C}")
        case "v": return ScalarSet("\u{0B}")
        case "0": return ScalarSet("\0")
        case "x": return ScalarSet(try parseHexadecimal(2, from: start))
        case "u": return ScalarSet(try parseHexadecimal(4, from: start))
        case "1"..."9", "k":
            throw error(
                "a reference to a group is not supported", from: start,
                hint: "such a pattern cannot be matched in linear time")
        default:
            guard !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar) else {
                throw error("unknown escape \\\(scalar)", from: start)
            }
            return ScalarSet(scalar)
        }
    }

    private mutating func parseProperty(
        isNegated: Bool, from start: Int
    ) throws(PatternError) -> ScalarSet {
        var name = ""
        if take("{") {
            while let scalar = peek(), scalar != "}", name.unicodeScalars.count < 3 {
                name.unicodeScalars.append(scalar)
                position += 1
            }
            guard take("}") else {
                throw error("unknown property", from: start, hint: hintOfProperty)
            }
        } else if let scalar = peek() {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard let property = ScalarSet.Property(name: name) else {
            throw error("unknown property", from: start, hint: hintOfProperty)
        }
        return ScalarSet(property, isNegated: isNegated)
    }

    private var hintOfProperty: String {
        "a general category of Unicode, such as \\p{L} or \\p{Nd}"
    }

    private mutating func parseHexadecimal(
        _ count: Int, from start: Int
    ) throws(PatternError) -> Unicode.Scalar {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let scalar = peek(), let digit = Character(scalar).hexDigitValue else {
                throw error("\(count) hexadecimal digits are needed here", from: start)
            }
            position += 1
            value = value << 4 | UInt32(digit)
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw error("this is not a character", from: start)
        }
        return scalar
    }

    // MARK: Classes

    /// Parses a class in brackets, after the opening one.
    private mutating func parseClass(from start: Int) throws(PatternError) -> ScalarSet {
        var set = ScalarSet()
        set.isNegated = take("^")
        var isFirst = true
        while let scalar = peek(), scalar != "]" || isFirst {
            isFirst = false
            if scalar == "[" || scalar == "&" && peek(1) == "&" {
                position += 1
                throw error(
                    "sets inside of [ ] are not supported", from: position - 1,
                    hint: "write \\[ for the character")
            }
            try parseMember(of: &set)
        }
        guard take("]") else {
            position = start + 1
            throw error("this [ has no closing ]", from: start, hint: "write \\[ for the character")
        }
        return set
    }

    /// Parses a character, a range or an escape in brackets.
    private mutating func parseMember(of set: inout ScalarSet) throws(PatternError) {
        let start = position
        let first = try parseMemberSet()
        guard let low = first.onlyScalar else {
            for property in first.properties { set.insert(property, isNegated: first.isNegated) }
            return
        }
        guard peek() == "-", let next = peek(1), next != "]" else {
            return set.insert(low...low)
        }
        position += 1
        guard let high = try parseMemberSet().onlyScalar else {
            throw error("a range ends with a character", from: start)
        }
        guard low <= high else {
            throw error("the first character of a range comes after its last one", from: start)
        }
        set.insert(low...high)
    }

    private mutating func parseMemberSet() throws(PatternError) -> ScalarSet {
        let start = position
        guard let scalar = peek() else { return ScalarSet() }
        position += 1
        guard scalar == "\\" else { return ScalarSet(scalar) }
        if take("b") { return ScalarSet("\u{08}") }
        return try parseEscapedSet(from: start)
    }
}

extension ScalarSet {
    /// The character of a set with one character; `nil` for a property.
    fileprivate var onlyScalar: UInt32? { properties.isEmpty ? ranges.first?.lowerBound : nil }
}
