extension Parser {
    /// Returns the name at a distance: a word, which may be a keyword, or a name in backquotes.
    func nameHere(_ distance: Int = 0) -> String? {
        switch peek(distance).kind {
        case .word(let name), .name(let name): name
        default: nil
        }
    }

    mutating func parseName(_ role: String) throws(QueryError) -> String {
        guard let name = nameHere() else { throw unexpected(role) }
        advance()
        return name
    }

    /// Parses `[$variable.] segment {. segment | [index]}`.
    package mutating func parsePath(_ role: String) throws(QueryError) -> Path {
        let start = peek().range
        var variable: String?
        if case .argument(let name) = peek().kind, isSymbol(.dot, 1) {
            variable = name
            advance(2)
        }
        note(.path(variable: variable, []))
        var segments = [try parseSegment(role)]
        while true {
            if isSymbol(.dot) {
                advance()
                note(.path(variable: variable, segments))
                segments.append(try parseSegment("a property after the dot"))
            } else if isSymbol(.leftBracket) {
                segments.append(try parseIndex())
            } else {
                return Path(variable: variable, segments: segments, range: range(from: start))
            }
        }
    }

    private mutating func parseSegment(_ role: String) throws(QueryError) -> Path.Segment {
        let token = peek()
        let kind: Path.Segment.Kind
        switch token.kind {
        case .word(let name), .name(let name): kind = .name(name)
        // The names of NSPredicate for the parts of a map.
        case .attribute("@allKeys"): kind = .attribute("@keys")
        case .attribute("@allValues"): kind = .attribute("@values")
        case .attribute(let name): kind = .attribute(name)
        case .pathPlaceholder(let number): kind = .placeholder(number)
        default: throw unexpected(role)
        }
        advance()
        return Path.Segment(kind, range: token.range)
    }

    /// Parses `[0]`, `["key"]`, `[$0]`, `[FIRST]`, `[LAST]`, `[SIZE]` or `[*]`.
    private mutating func parseIndex() throws(QueryError) -> Path.Segment {
        let start = peek().range
        advance()
        let index = try parseIndexContent()
        advance()
        try expect(.rightBracket, "after the index")
        return Path.Segment(.index(index), range: range(from: start))
    }

    private func parseIndexContent() throws(QueryError) -> Path.Index {
        switch peek().kind {
        case .integer(let magnitude):
            if let position = Int64(exactly: magnitude) { return .position(position) }
        case .string(let key): return .key(key)
        case .argument(let name): return .argument(name)
        case .placeholder(let number): return .placeholder(number)
        case .symbol(.star): return .all
        case .word(let word):
            switch word.uppercased() {
            case "FIRST": return .first
            case "LAST": return .last
            case "SIZE": return .size
            default: break
            }
        default: break
        }
        throw unexpected("an index such as 0, \"key\", FIRST, LAST, SIZE or *")
    }
}
