import FirnValues

/// An operator between two operands.
enum InfixOperator {
    case or
    case and
    case compare(Comparison.Operator, negated: Bool)
    case additive(ArithmeticOperator)
    case multiplicative(ArithmeticOperator)
}

extension Parser {
    /// Returns the operator at a distance, where an operand is complete.
    ///
    /// A word before a comparison sign is a name and not an operator: `Flight text == "x"`.
    func infixOperator(_ distance: Int) -> InfixOperator? {
        switch peek(distance).kind {
        case .symbol(let symbol):
            switch symbol {
            case .or: return .or
            case .and: return .and
            case .plus: return .additive(.add)
            case .minus: return .additive(.subtract)
            case .star: return .multiplicative(.multiply)
            case .slash: return .multiplicative(.divide)
            case .percent: return .multiplicative(.remainder)
            default: return Parser.comparison(symbol).map { .compare($0, negated: false) }
            }
        case .word(let word):
            let keyword = word.uppercased()
            if keyword == "OR" { return .or }
            if keyword == "AND" { return .and }
            if keyword == "NOT" { return negatedComparison(distance + 1) }
            guard let comparison = Keywords.comparison(keyword), !isComparison(distance + 1),
                !isName(comparison, distance)
            else { return nil }
            return .compare(comparison, negated: false)
        default: return nil
        }
    }

    /// Returns whether a word that is the name of an operator is a property or a function, because
    /// no operand follows it: `SORT(text)`, `in + 1 > 2`, `text(x) == "1"`.
    func isName(_ comparison: Comparison.Operator, _ distance: Int) -> Bool {
        switch peek(distance + 1).kind {
        case .symbol(let symbol):
            switch symbol {
            case .comma, .rightParenthesis, .rightBracket, .rightBrace, .dot, .and, .or, .star,
                .slash, .percent:
                return true
            // A minus can begin the operand: `x IN - (y)`.
            case .plus: return !isAdjacent(distance + 1)
            case .leftParenthesis: return comparison == .text && isAdjacent(distance)
            default: return false
            }
        case .word(let word):
            return ["AND", "OR"].contains(word.uppercased()) || startsDescriptor(distance + 1)
        default: return false
        }
    }

    /// Returns the negated comparison of `x NOT IN {...}` or `x NOT BEGINSWITH "a"`.
    private func negatedComparison(_ distance: Int) -> InfixOperator? {
        guard let word = keyword(distance), let comparison = Keywords.comparison(word),
            !isComparison(distance + 1), !isName(comparison, distance), !isEnd(distance + 1)
        else { return nil }
        return .compare(comparison, negated: true)
    }

    /// Parses `[c]`, `[d]` or `[cd]` after an operator.
    ///
    /// The brackets are a list instead if they are not followed by an operand.
    mutating func parseOptions() throws(QueryError) -> Comparison.Options {
        guard isSymbol(.leftBracket), isSymbol(.rightBracket, 2), let word = keyword(1) else {
            return []
        }
        switch peek(3).kind {
        case .end, .symbol(.pipe), .symbol(.semicolon), .symbol(.comma), .symbol(.and),
            .symbol(.or), .symbol(.rightParenthesis):
            return []
        case .word where infixOperator(3) != nil || startsDescriptor(3): return []
        default: break
        }
        var options: Comparison.Options = []
        for letter in word.unicodeScalars {
            switch letter {
            case "C": options.insert(.caseInsensitive)
            case "D": options.insert(.diacriticInsensitive)
            default:
                throw QueryError(
                    .syntax, "unknown option [\(typed(peek(1).range).prefix(40))]",
                    at: peek(1).range.bytes,
                    hint: "[c] ignores case, [d] ignores accents, [cd] both")
            }
        }
        advance(3)
        return options
    }

    /// Counts a condition toward the limit.
    mutating func countTerm(_ range: SourceRange) throws(QueryError) {
        termCount += 1
        guard termCount > QueryLimits.termsMax else { return }
        throw QueryError(
            .limit, "the query has more than \(QueryLimits.termsMax) conditions", at: range.bytes)
    }
}

extension ExpressionParser {
    /// Parses an operator, comma or closing symbol where an operand is complete.
    mutating func parseOperator(_ parser: inout Parser) throws(QueryError) -> Step {
        noteOperator(&parser)
        if let infix = parser.infixOperator(0) {
            try pushInfix(infix, &parser)
            return .needsOperand
        }
        guard let opening = openings.last, case .open(let kind) = entries[opening].operation else {
            return .end
        }
        if parser.isSymbol(.colon), case .list(closing: .rightBrace) = kind {
            try takeKey(of: opening, &parser)
            return .needsOperand
        }
        if parser.isSymbol(kind.closing) {
            try reduce(tighterThan: 0, &parser)
            try checkPair(of: entries[opening], parser)
            try close(&parser)
            return .closed
        }
        if case .aggregate = kind, entries[opening].clauseBase == nil,
            entries[opening].keysBase == nil, parser.skipKeyword("WHERE")
        {
            try reduce(tighterThan: 0, &parser)
            try checkElement(of: entries[opening])
            entries[opening].clauseBase = operands.count
            return .needsOperand
        }
        if case .aggregate = kind, entries[opening].keysBase == nil, parser.skipKeyword("BY") {
            try reduce(tighterThan: 0, &parser)
            try checkElement(of: entries[opening])
            entries[opening].keysBase = operands.count
            return .needsOperand
        }
        let isCondition = entries[opening].clauseBase != nil && entries[opening].keysBase == nil
        if parser.isSymbol(.comma), kind.hasElements, !isCondition {
            try reduce(tighterThan: 0, &parser)
            try checkPair(of: entries[opening], parser)
            try checkElement(of: entries[opening])
            parser.advance()
            return .needsOperand
        }
        let comma = kind.hasElements ? "\",\" or " : ""
        let expectation = "\(comma)\"\(kind.closing.rawValue)\""
        throw parser.misspeltOperator(expectation) ?? parser.unexpected(expectation)
    }

    /// Takes the operand on top as a key of a map.
    private mutating func takeKey(
        of opening: Int, _ parser: inout Parser
    ) throws(QueryError) {
        let known = entries[opening].mapKeys
        // Nothing is before the key, such as a minus.
        guard entries.count - 1 == opening,
            operands.count - entries[opening].operandBase == known.count + 1,
            case .expression(.literal(.value(.string(let key)), let range))? = operands.last
        else {
            throw parser.unexpected(
                "\",\" or \"}\"", hint: "a map has a text before each colon: {\"key\": 1}")
        }
        guard !known.contains(where: { $0.text.utf8.elementsEqual(key.utf8) }) else {
            throw QueryError(.syntax, "the key is given twice", at: range.bytes)
        }
        operands.removeLast()
        entries[opening].mapKeys.append(Expression.Key(text: key, range: range))
        parser.advance()
    }

    /// Checks that a map has a key for each value so far.
    private func checkPair(of opening: Entry, _ parser: Parser) throws(QueryError) {
        guard !opening.mapKeys.isEmpty,
            operands.count - opening.operandBase != opening.mapKeys.count
        else { return }
        throw parser.unexpected("\":\" and a value", hint: "as in {\"key\": 1}")
    }

    private mutating func pushInfix(
        _ infix: InfixOperator, _ parser: inout Parser
    ) throws(QueryError) {
        let start = parser.peek().range
        parser.advance()
        switch infix {
        case .or: try pushChain(.or, at: start, &parser)
        case .and: try pushChain(.and, at: start, &parser)
        case .additive(let arithmetic):
            try pushChain(.additive, at: start, term: arithmetic, &parser)
        case .multiplicative(let arithmetic):
            try pushChain(.multiplicative, at: start, term: arithmetic, &parser)
        case .compare(let comparison, let negated):
            if negated { parser.advance() }
            let options = try parser.parseOptions()
            let operation = Operation.compare(comparison, options, negated: negated)
            try reduce(tighterThan: operation.precedence - 1, &parser)
            entries.append(Entry(operation: operation, range: parser.range(from: start)))
        }
    }

    /// Begins a chain, or continues the one on top of the stack.
    private mutating func pushChain(
        _ operation: Operation, at range: SourceRange, term: ArithmeticOperator? = nil,
        _ parser: inout Parser
    ) throws(QueryError) {
        try reduce(tighterThan: operation.precedence, &parser)
        if let top = entries.last, top.operation.precedence == operation.precedence {
            entries[entries.count - 1].chainLength += 1
        } else {
            entries.append(Entry(operation: operation, range: range))
        }
        if let term { entries[entries.count - 1].terms.append((term, range)) }
    }

    /// Checks the element on top, and that the list may have one more element.
    private func checkElement(of opening: Entry) throws(QueryError) {
        guard let element = operands.last else { return }
        if case .open(.list) = opening.operation { _ = try value(element) }
        guard operands.count - opening.operandBase >= QueryLimits.listElementsMax else { return }
        throw QueryError(
            .limit, "the list has more than \(QueryLimits.listElementsMax) elements",
            at: element.range.bytes)
    }
}

extension ExpressionParser.Opening {
    /// Whether commas separate the elements.
    var hasElements: Bool {
        switch self {
        case .list, .call, .aggregate: true
        case .group, .subquery: false
        }
    }
}
