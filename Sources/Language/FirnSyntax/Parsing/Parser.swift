import FirnValues

/// Parses a text into a syntax tree, token by token.
///
/// The parser is not recursive, directly or indirectly. ``ExpressionParser`` keeps nested
/// constructs on the heap, so that no text can exhaust the stack.
package struct Parser {
    let entry: QueryEntry
    package let tokens: [Token]
    private let text: String
    private(set) var position = 0
    /// The number of conditions so far, limited by ``QueryLimits/termsMax``.
    var termCount = 0
    /// The record about the token at the cursor; `nil` except for completion.
    package var cursor: CursorRecord?

    package init(_ text: String, entry: QueryEntry) throws(QueryError) {
        self.text = text
        self.entry = entry
        tokens = try Lexer.tokens(of: text, entry: entry)
    }

    // MARK: Cursor

    /// Returns the token at a distance.
    ///
    /// Beyond the end of the text, every token is an end token.
    package func peek(_ distance: Int = 0) -> Token {
        let index = min(position + distance, tokens.count - 1)
        return tokens[index]
    }

    /// The token before the current one, or the current one at the start.
    var previous: Token { tokens[max(position - 1, 0)] }

    mutating func advance(_ count: Int = 1) {
        position = min(position + count, tokens.count - 1)
    }

    /// Steps back to the previous token, which an error refers to.
    mutating func stepBack() { position = max(position - 1, 0) }

    func isSymbol(_ symbol: Token.Symbol, _ distance: Int = 0) -> Bool {
        peek(distance).kind == .symbol(symbol)
    }

    /// Skips a symbol if it is next.
    package mutating func skip(_ symbol: Token.Symbol) -> Bool {
        guard isSymbol(symbol) else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: Token.Symbol, _ role: String) throws(QueryError) {
        guard skip(symbol) else { throw unexpected("\"\(symbol.rawValue)\" \(role)") }
    }

    /// Returns the word at a distance in upper case, for comparison with keywords; `nil` if it is
    /// not a word.
    func keyword(_ distance: Int = 0) -> String? {
        guard case .word(let word) = peek(distance).kind else { return nil }
        return word.uppercased()
    }

    /// Skips a keyword if it is next.
    mutating func skipKeyword(_ keyword: String) -> Bool {
        guard self.keyword() == keyword else { return false }
        advance()
        return true
    }

    /// Returns whether a statement or stage ends at a distance.
    func isEnd(_ distance: Int = 0) -> Bool {
        switch peek(distance).kind {
        case .end, .symbol(.pipe), .symbol(.semicolon): true
        default: false
        }
    }

    /// Returns whether a comparison operator is at a distance, so that the word before it is a
    /// name.
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

    /// Returns whether the right side of a comparison begins at a distance, with or without
    /// options.
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
            if let comparison = Keywords.comparison(keyword) {
                return isName(comparison, distance) || isEnd(distance + 1)
            }
            return keyword != "AND" && keyword != "OR" && !startsDescriptor(distance)
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

    /// Returns the error for a current token other than the expected one.
    func unexpected(
        _ expectation: String, hint: String? = nil, suggestions: [String] = []
    ) -> QueryError {
        let token = peek()
        return QueryError(
            .syntax, "expected \(expectation), found \(description(of: token))",
            at: token.range.bytes, hint: hint, suggestions: suggestions)
    }

    /// Returns a token for error messages: as written, unless it is long.
    func description(of token: Token) -> String {
        if token.kind == .end { return "the end of the text" }
        let typed = typed(token.range)
        if typed.utf8.count > 40 { return "\"\(typed.prefix(30))...\"" }
        return typed.hasPrefix("\"") ? typed : "\"\(typed)\""
    }

    /// Returns the text of a range.
    func typed(_ range: SourceRange) -> String {
        let utf8 = text.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: range.bytes.lowerBound)
        let end = utf8.index(start, offsetBy: range.bytes.count)
        return String(text[start..<end])
    }

    /// Returns whether two tokens are adjacent, without a blank between them.
    func isAdjacent(_ distance: Int) -> Bool {
        peek(distance).range.bytes.upperBound == peek(distance + 1).range.bytes.lowerBound
    }

    /// Whether the current token follows the previous one without a blank.
    var previousIsAdjacent: Bool {
        previous.range.bytes.upperBound == peek().range.bytes.lowerBound
    }

    /// Returns the range from the start of a token to the end of the previous one.
    func range(from start: SourceRange) -> SourceRange { start.to(previous.range) }
}
