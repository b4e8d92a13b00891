import FirnValues

/// Splits lines into statements of the interactive shell.
///
/// The scanner determines the end of a statement, and what is missing if the statement is
/// incomplete. Each line is scanned once, however long the statement is.
package struct StatementScanner {
    /// The reason why a statement cannot end here.
    package enum Missing: Hashable, Sendable {
        /// The quote that closes a string or a name.
        case quote(Character)
        /// The closing symbol of this parenthesis, bracket or brace.
        case bracket(Character)
        /// The stage after a `|`.
        case stage
        /// The item after a comma.
        case item
        /// The right side of an operator.
        case operand
    }

    /// The statement so far: whole lines, each with its line break.
    package private(set) var text = ""
    private var openQuote: UInt8?
    private var openBrackets: [Token.Symbol] = []
    private var last: Token.Kind?
    /// The number of tokens so far, to distinguish `name like` from a class followed by a property.
    private var tokenCount = 0
    /// Whether the text contains an invalid token.
    ///
    /// The parser reports the error.
    private var isBroken = false

    package init() {}

    /// Whether the statement consists only of blanks and comments.
    package var isEmpty: Bool { tokenCount == 0 && openQuote == nil && !isBroken }

    /// The part that the statement needs before it can end; `nil` if it is complete.
    package var missing: Missing? {
        if let openQuote { return .quote(Character(Unicode.Scalar(openQuote))) }
        if isBroken { return nil }
        if let bracket = openBrackets.last { return .bracket(Character(bracket.rawValue)) }
        switch last {
        case .symbol(.pipe): return .stage
        case .symbol(.comma): return .item
        case .symbol(let symbol):
            return StatementScanner.operators.contains(symbol) ? .operand : nil
        case .word(let word): return endsWithOperator(word.uppercased()) ? .operand : nil
        default: return nil
        }
    }

    /// Whether the statement is complete and no further line can belong to it: it contains an
    /// invalid token, or ends with a shell command.
    package var isClosed: Bool {
        if isBroken { return true }
        if case .shellCommand = last { return true }
        return false
    }

    /// Returns whether a line continues a statement that is complete at the end of the previous
    /// line.
    ///
    /// Such a line begins with a sign or word that follows an expression. An empty line and a
    /// comment continue it too.
    package static func continues(_ line: some StringProtocol) -> Bool {
        let line = line.drop(while: \.isWhitespace)
        guard let first = line.first else { return true }
        switch first {
        // This includes a comment.
        case "|", ",", ")", "]", "}", "=", "<", ">", "+", "-", "*", "/": return true
        case "&": return line.hasPrefix("&&")
        case "!": return line.hasPrefix("!=")
        default: break
        }
        let word = line.prefix { $0.isLetter }
        let rest = line[word.endIndex...]
        // A longer name, such as `or_else`.
        if let next = rest.first, next.isNumber || next == "_" { return false }
        let upper = word.uppercased()
        if ["AND", "OR"].contains(upper) { return true }
        if Keywords.descriptors.contains(upper) {
            return rest.drop(while: \.isWhitespace).hasPrefix("(")
        }
        // A class can have the name of an operator in another case.
        guard upper == word else { return false }
        if upper == "NOT" {
            let next = rest.drop(while: \.isWhitespace).prefix { $0.isLetter }
            return Keywords.comparison(String(next)) != nil
        }
        return Keywords.comparison(upper) != nil
    }

    private static let operators: Set<Token.Symbol> = [
        .or, .and, .not, .plus, .minus, .star, .slash, .assign, .equal, .notEqual, .less,
        .lessOrEqual, .greater, .greaterOrEqual,
    ]

    private func endsWithOperator(_ word: String) -> Bool {
        if ["AND", "OR", "NOT"].contains(word) { return tokenCount > 1 }
        return Keywords.comparison(word) != nil && tokenCount > 2
    }

    /// Adds a line without its line break.
    ///
    /// - Returns: the statements that end in the line with a `;`, without the `;`.
    package mutating func add(line: String) -> [String] {
        let bytes = Array(line.utf8)
        guard let start = closeQuote(bytes) else {
            append(bytes[...])
            return []
        }
        if last == .symbol(.pipe), start == 0, StatementScanner.isCommand(bytes) {
            note(.shellCommand(""))
            append(bytes[...])
            return []
        }
        var lexer = Lexer(bytes: Array(bytes[start...]), entry: .repl)
        // The parser reports any error.
        let isReadable = (try? lexer.run()) != nil
        var statements: [String] = []
        var from = 0
        for token in lexer.tokens {
            if token.kind == .symbol(.semicolon), openBrackets.isEmpty {
                let end = start + token.range.bytes.lowerBound
                let statement = text + String(decoding: bytes[from..<end], as: UTF8.self)
                if !isEmpty { statements.append(statement) }
                forget()
                from = start + token.range.bytes.upperBound
            } else if token.kind != .end {
                note(token.kind)
            }
        }
        if !isReadable {
            openQuote = lexer.openQuote
            isBroken = isBroken || openQuote == nil
        }
        if isEmpty { forget() } else { append(bytes[from...]) }
        return statements
    }

    /// Returns whether a line after a `|` is a system command, which has its own syntax.
    private static func isCommand(_ line: [UInt8]) -> Bool {
        let rest = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return rest.first == UInt8(ascii: "!")
            && rest.dropFirst().first.map { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                ?? true
    }

    private mutating func append(_ line: ArraySlice<UInt8>) {
        text += String(decoding: line, as: UTF8.self) + "\n"
        guard text.utf8.count > QueryLimits.textBytesMax else { return }
        // The parser reports that the statement is too long.
        isBroken = true
        openQuote = nil
    }

    /// Removes and returns the statement, complete or not.
    package mutating func take() -> String {
        defer { forget() }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private mutating func forget() { self = StatementScanner() }

    /// Scans for the quote that closes the open string.
    ///
    /// - Returns: the index after the quote; `nil` if the string does not end in this line.
    private mutating func closeQuote(_ bytes: [UInt8]) -> Int? {
        guard let quote = openQuote else { return 0 }
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\"), quote != UInt8(ascii: "`") {
                index += 2
            } else if bytes[index] == quote {
                index += 1
                // A doubled backquote is part of the name.
                guard quote == UInt8(ascii: "`"), index < bytes.count, bytes[index] == quote else {
                    openQuote = nil
                    note(.string(""))
                    return index
                }
                index += 1
            } else {
                index += 1
            }
        }
        return nil
    }

    private mutating func note(_ kind: Token.Kind) {
        tokenCount += 1
        last = kind
        guard case .symbol(let symbol) = kind else { return }
        switch symbol {
        case .leftParenthesis, .leftBracket, .leftBrace: openBrackets.append(symbol)
        // The parser reports an unmatched closing symbol.
        case .rightParenthesis, .rightBracket, .rightBrace: _ = openBrackets.popLast()
        default: break
        }
    }
}
