/// Reads the tree of a text, token by token.
///
/// Nothing here calls itself, directly or by way of others: what nests in the text is kept on
/// the heap by ``ExpressionParser``, so that no text can exhaust the stack.
struct Parser {
    let entry: QueryEntry
    let tokens: [Token]
    private let text: String
    private(set) var position = 0
    /// Comparisons and other conditions so far, against ``QueryLimits/termsMax``.
    var termCount = 0
    /// What is found out about the token that completion asks about; `nil` in all other parsing.
    var cursor: CursorRecord?

    init(_ text: String, entry: QueryEntry) throws(QueryError) {
        self.text = text
        self.entry = entry
        tokens = try Lexer.tokens(of: text, entry: entry)
    }

    // MARK: Cursor

    /// The token so far ahead; behind the end of the text there are only more ends.
    func peek(_ distance: Int = 0) -> Token {
        let index = min(position + distance, tokens.count - 1)
        return tokens[index]
    }

    /// The token before the current one, or the current one at the start.
    var previous: Token { tokens[max(position - 1, 0)] }

    mutating func advance(_ count: Int = 1) {
        position = min(position + count, tokens.count - 1)
    }

    /// Back to the token before, which an error is about.
    mutating func stepBack() { position = max(position - 1, 0) }

    func isSymbol(_ symbol: Token.Symbol, _ distance: Int = 0) -> Bool {
        peek(distance).kind == .symbol(symbol)
    }

    /// Steps over the symbol if it is next.
    mutating func skip(_ symbol: Token.Symbol) -> Bool {
        guard isSymbol(symbol) else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: Token.Symbol, _ role: String) throws(QueryError) {
        guard skip(symbol) else { throw unexpected("\"\(symbol.rawValue)\" \(role)") }
    }

    /// The word there in upper case, for comparison with keywords; nil if there is no word.
    func keyword(_ distance: Int = 0) -> String? {
        guard case .word(let word) = peek(distance).kind else { return nil }
        return word.uppercased()
    }

    /// Steps over the keyword if it is next.
    mutating func skipKeyword(_ keyword: String) -> Bool {
        guard self.keyword() == keyword else { return false }
        advance()
        return true
    }

    /// Whether a statement or stage ends there.
    func isEnd(_ distance: Int = 0) -> Bool {
        switch peek(distance).kind {
        case .end, .symbol(.pipe), .symbol(.semicolon): true
        default: false
        }
    }

    /// Whether something that compares stands there, so that the word before it is a name.
    func isComparison(_ distance: Int) -> Bool {
        switch peek(distance).kind {
        case .symbol(let symbol): return Parser.comparison(symbol) != nil
        case .word(let word):
            // `text LIKE "x"` compares a property called text; `name CONTAINS text` ends with one.
            let isNegated = word.uppercased() == "NOT"
            let operation = isNegated ? keyword(distance + 1) : word.uppercased()
            guard let operation, Keywords.comparison(operation) != nil else { return false }
            return isOperand(distance + (isNegated ? 2 : 1))
        default: return false
        }
    }

    /// Whether the right side of a comparison begins there, with options in front or without.
    private func isOperand(_ distance: Int) -> Bool {
        switch peek(distance).kind {
        case .string, .integer, .number, .base64, .date, .duration, .argument, .placeholder,
            .pathPlaceholder, .name, .symbol(.leftBrace):
            return true
        case .symbol(.leftBracket):
            guard let options = keyword(distance + 1) else { return false }
            return isSymbol(.rightBracket, distance + 2)
                && ["C", "D", "CD", "DC"].contains(options)
        case .word(let word):
            let keyword = word.uppercased()
            return keyword != "AND" && keyword != "OR" && Keywords.comparison(keyword) == nil
                && !startsDescriptor(distance)
        default: return false
        }
    }

    static func comparison(_ symbol: Token.Symbol) -> Comparison.Operator? {
        switch symbol {
        case .assign, .equal: .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        default: nil
        }
    }

    // MARK: Errors

    /// The error that the current token is not what should be here.
    func unexpected(
        _ expectation: String, hint: String? = nil, suggestions: [String] = []
    ) -> QueryError {
        let token = peek()
        return QueryError(
            .syntax, "expected \(expectation), found \(description(of: token))",
            at: token.range.bytes, hint: hint, suggestions: suggestions)
    }

    /// A token as error messages show it: as it was typed, unless it is long.
    func description(of token: Token) -> String {
        if token.kind == .end { return "the end of the text" }
        let typed = typed(token.range)
        if typed.utf8.count > 40 { return "\"\(typed.prefix(30))...\"" }
        return typed.hasPrefix("\"") ? typed : "\"\(typed)\""
    }

    /// The text of a range.
    func typed(_ range: SourceRange) -> String {
        let utf8 = text.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: range.bytes.lowerBound)
        let end = utf8.index(start, offsetBy: range.bytes.count)
        return String(text[start..<end])
    }

    /// Whether two tokens stand side by side without a blank.
    func isAdjacent(_ distance: Int) -> Bool {
        peek(distance).range.bytes.upperBound == peek(distance + 1).range.bytes.lowerBound
    }

    /// From the start of a token to the end of the one before the current.
    func range(from start: SourceRange) -> SourceRange { start.to(previous.range) }
}
