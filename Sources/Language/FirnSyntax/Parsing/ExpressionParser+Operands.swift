import FirnValues

extension ExpressionParser {
    /// Parses one token or path where an operand is expected.
    ///
    /// - Returns: whether an operand is complete. Otherwise, a prefix operator or opening needs
    ///   another one.
    mutating func parseOperand(_ parser: inout Parser) throws(QueryError) -> Bool {
        let token = parser.peek()
        noteOperand(&parser)
        switch token.kind {
        case .word(let word): return try parseWord(word, &parser)
        case .name, .attribute, .pathPlaceholder: return try pushPath(&parser)
        case .symbol(let symbol): return try parseSymbol(symbol, &parser)
        case .argument(let name):
            if parser.isSymbol(.dot, 1) { return try pushPath(&parser) }
            parser.advance()
            return push(.argument(name, token.range))
        case .placeholder(let number):
            parser.advance()
            return push(.placeholder(number, token.range))
        default:
            guard let literal = try literal(token, &parser) else {
                throw parser.unexpected("a condition or a value", hint: nameHint(parser))
            }
            parser.advance()
            return push(.literal(literal, token.range))
        }
    }

    private mutating func push(_ expression: Expression) -> Bool {
        operands.append(.expression(expression))
        return true
    }

    /// Parses a path, or an aggregate with parentheses: `@avg(a + b)`, `flights.@count(a > 1)`.
    private mutating func pushPath(_ parser: inout Parser) throws(QueryError) -> Bool {
        let start = parser.peek().range
        let path = try parser.parsePath("a property")
        guard case .attribute(let name)? = path.segments.last?.kind,
            parser.isSymbol(.leftParenthesis), parser.previousIsAdjacent
        else { return push(.path(path)) }
        let owners = Array(path.segments.dropLast())
        let collection = owners.last.map {
            Path(variable: path.variable, segments: owners, range: start.to($0.range))
        }
        if collection == nil, path.variable != nil {
            throw parser.unexpected("a collection before \(name)")
        }
        try pushOpening(.aggregate(name: name, path: collection), at: start)
        parser.advance()
        if parser.keyword() == "BY", parser.infixOperator(1) == nil, !parser.isSymbol(.dot, 1),
            !parser.isSymbol(.comma, 1), !parser.isSymbol(.rightParenthesis, 1)
        {
            parser.advance()
            entries[entries.count - 1].keysBase = operands.count
            return false
        }
        guard parser.isSymbol(.rightParenthesis) else { return false }
        try close(&parser)
        return true
    }

    private func literal(_ token: Token, _ parser: inout Parser) throws(QueryError) -> Literal? {
        switch token.kind {
        case .integer(let magnitude):
            if let number = Int64(exactly: magnitude) { return .value(.int(number)) }
            return NumberLiteral(String(magnitude)).map { .number($0) }
        case .number(let number): return .number(number)
        case .string(let string): return .value(.string(string))
        case .base64(let bytes): return .value(.data(bytes))
        case .date(let date): return .value(.date(date))
        case .duration(let milliseconds): return .duration(milliseconds: milliseconds)
        default: return nil
        }
    }

    // MARK: Symbols

    private mutating func parseSymbol(
        _ symbol: Token.Symbol, _ parser: inout Parser
    ) throws(QueryError) -> Bool {
        let range = parser.peek().range
        switch symbol {
        case .not:
            parser.advance()
            try pushPrefix(.not, at: range)
            return false
        case .plus, .minus:
            return try parseSign(isNegative: symbol == .minus, &parser)
        case .leftParenthesis:
            return try open(needsList ? .list(closing: .rightParenthesis) : .group, &parser)
        case .leftBrace: return try open(.list(closing: .rightBrace), &parser)
        case .leftBracket: return try open(.list(closing: .rightBracket), &parser)
        case .assign, .equal:
            // `===` and `!==`, as in other languages.
            let isDoubled =
                parser.previous.kind == .symbol(.equal)
                || parser.previous.kind == .symbol(.notEqual)
            throw parser.unexpected(
                "a condition or a value",
                hint: isDoubled ? "write \(parser.typed(parser.previous.range))" : nil)
        case .percent:
            throw QueryError(
                .syntax, "unexpected character \"%\" (U+0025)", at: range.bytes,
                hint: "%@ is a value and %K a path; between values, % is the remainder")
        default: throw parser.unexpected("a condition or a value", hint: nameHint(parser))
        }
    }

    /// Returns the hint for the case that a property is meant by the operator that needs an operand
    /// here.
    private func nameHint(_ parser: Parser) -> String? {
        guard let last = entries.last, case .compare = last.operation else { return nil }
        return parser.nameHint(ofOperator: last.range)
    }

    /// Whether an opening parenthesis here begins the list of an IN or BETWEEN.
    private var needsList: Bool {
        guard case .compare(let comparison, _, _) = entries.last?.operation else { return false }
        return comparison == .oneOf || comparison == .between
    }

    /// Parses a sign, which is part of a number or applies to the following value.
    private mutating func parseSign(
        isNegative: Bool, _ parser: inout Parser
    ) throws(QueryError) -> Bool {
        let start = parser.peek().range
        parser.advance()
        let token = parser.peek()
        let range = start.to(token.range)
        let number: Literal
        switch token.kind {
        case .integer(let magnitude):
            if let value = signed(magnitude, isNegative: isNegative) {
                number = .value(.int(value))
            } else {
                guard let value = NumberLiteral(String(magnitude)) else { return false }
                number = .number(isNegative ? value.negated : value)
            }
        case .number(let value): number = .number(isNegative ? value.negated : value)
        case .word(let word):
            guard let value = namedNumber(word), !parser.isSymbol(.dot, 1) else { fallthrough }
            number = .value(.double(isNegative ? -value : value))
        default:
            if isNegative { try pushPrefix(.negate, at: start) }
            return false
        }
        parser.advance()
        return push(.literal(number, range))
    }

    private func signed(_ magnitude: UInt64, isNegative: Bool) -> Int64? {
        guard isNegative else { return Int64(exactly: magnitude) }
        return magnitude == 1 << 63 ? Int64.min : Int64(exactly: magnitude).map { -$0 }
    }

    private func namedNumber(_ word: String) -> Double? {
        switch word.uppercased() {
        case "INF", "INFINITY": .infinity
        case "NAN": .nan
        default: nil
        }
    }

    /// Parses an opening.
    ///
    /// An empty list or call is complete at once.
    private mutating func open(
        _ opening: Opening, _ parser: inout Parser
    ) throws(QueryError) -> Bool {
        try pushOpening(opening, at: parser.peek().range)
        parser.advance()
        guard parser.isSymbol(opening.closing) else { return false }
        switch opening {
        case .list, .call, .aggregate:
            try close(&parser)
            return true
        case .group, .subquery: throw parser.unexpected("a condition or a value")
        }
    }

    // MARK: Words

    private mutating func parseWord(
        _ word: String, _ parser: inout Parser
    ) throws(QueryError) -> Bool {
        let range = parser.peek().range
        let keyword = word.uppercased()
        if parser.isSymbol(.dot, 1) { return try pushPath(&parser) }
        if let literal = literal(keyword) {
            parser.advance()
            return push(.literal(.value(literal), range))
        }
        // YES and NO are names on the left side of a comparison.
        if word == "YES" || word == "NO", comparesNext, !parser.isSymbol(.leftBracket, 1) {
            parser.advance()
            return push(.literal(.value(.bool(word == "YES")), range))
        }
        if parser.isComparison(1) { return try pushPath(&parser) }
        // `any["key"]` is a property, `ANY ["a", "b"]` a quantified list.
        if parser.isSymbol(.leftBracket, 1), parser.isAdjacent(0) { return try pushPath(&parser) }
        if let quantifier = Keywords.quantifier(keyword), startsOperand(parser) {
            parser.advance()
            try pushPrefix(.quantify(quantifier), at: range)
            return false
        }
        switch keyword {
        case "NOT":
            parser.advance()
            try pushPrefix(.not, at: range)
            return false
        case "TRUEPREDICATE", "FALSEPREDICATE":
            parser.advance()
            try parser.countTerm(range)
            operands.append(.predicate(.constant(keyword == "TRUEPREDICATE", range)))
            return true
        case "AND", "OR":
            guard parser.infixOperator(1) != nil else {
                throw parser.unexpected("a condition or a value")
            }
        default: break
        }
        guard parser.isSymbol(.leftParenthesis, 1) else { return try pushPath(&parser) }
        return try parseCall(word, &parser)
    }

    /// Whether the next operand is the right side of a comparison, or in a list.
    private var comparesNext: Bool {
        switch entries.last?.operation {
        case .compare, .open(.list): true
        default: false
        }
    }

    private func literal(_ keyword: String) -> Value? {
        switch keyword {
        case "TRUE": .bool(true)
        case "FALSE": .bool(false)
        case "NULL", "NIL": .null
        default: namedNumber(keyword).map { .double($0) }
        }
    }

    /// Returns whether the text after the current token can be quantified.
    private func startsOperand(_ parser: Parser) -> Bool {
        switch parser.peek(1).kind {
        case .word: parser.infixOperator(1) == nil
        // `ANY (a + 1)` has a quantifier, `any(x)` is a call.
        case .symbol(.leftParenthesis): !parser.isAdjacent(0)
        case .name, .attribute, .argument, .placeholder, .pathPlaceholder, .symbol(.leftBrace),
            .symbol(.leftBracket):
            true
        default: false
        }
    }

    private mutating func parseCall(
        _ word: String, _ parser: inout Parser
    ) throws(QueryError) -> Bool {
        let keyword = word.uppercased()
        if Keywords.descriptors.contains(keyword) {
            throw parser.unexpected("a condition or a value")
        }
        let start = parser.peek().range
        if parser.isCountOfAll() {
            let range = start.to(parser.peek(3).range)
            parser.advance(4)
            let count = Path.Segment(.attribute("@count"), range: range)
            return push(.path(Path(segments: [count], range: range)))
        }
        if keyword != "SUBQUERY" { parser.note(.function) }
        parser.advance()
        guard keyword == "SUBQUERY" else { return try openCall(word, start, &parser) }
        parser.advance()
        let path = try parser.parsePath("the collection of the subquery")
        try parser.expect(.comma, "after the collection of the subquery")
        guard case .argument(let variable) = parser.peek().kind else {
            throw parser.unexpected("a variable such as $x")
        }
        let range = parser.peek().range
        parser.advance()
        try parser.expect(.comma, "after the variable of the subquery")
        parser.cursor?.subqueries.append(CursorRecord.Subquery(path: path, variable: variable))
        try pushOpening(
            .subquery(path: path, variable: variable, variableRange: range), at: start)
        return false
    }

    /// Opens a call.
    ///
    /// Its range starts at the name.
    private mutating func openCall(
        _ name: String, _ start: SourceRange, _ parser: inout Parser
    ) throws(QueryError) -> Bool {
        try pushOpening(.call(name: name), at: start)
        parser.advance()
        guard parser.isSymbol(.rightParenthesis) else { return false }
        try close(&parser)
        return true
    }
}
