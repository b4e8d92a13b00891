import FirnSyntax
import FirnValues

/// An unfinished text, split at the start of its last word.
struct CursorText {
    /// The kind of token that the word belongs to.
    enum Kind: Equatable {
        /// A name, a keyword, an operator, or nothing yet.
        case word
        /// A name after a backquote.
        case quotedName
        /// `@count`; the word is the part after the `@`.
        case attribute
        /// `$name`; the word is the part after the `$`.
        case argument
        /// A string; the word is the part after the opening quote.
        case string(quote: Character)
    }

    /// The text before the word, and before its quote or sign.
    let before: String
    let kind: Kind
    /// The typed part of the word, without its quote or sign.
    let word: String
    /// The UTF-8 offset at which the text of a candidate is inserted; in a string, after the quote.
    let start: Int

    /// Splits a text, or returns `nil` if nothing can be completed.
    ///
    /// This is the case in a comment, in a number, and after text that cannot be split into tokens.
    init?(_ text: String, entry: QueryEntry) {
        let count = text.utf8.count
        let tokens: [Token]
        do {
            // The probe shows whether the cursor is in a comment.
            let probed = try Parser(text + " x", entry: entry).tokens
            guard probed.dropLast().last?.kind == .word("x"),
                probed.dropLast().last?.range.bytes.lowerBound == count + 1
            else { return nil }
            tokens = try Parser(text, entry: entry).tokens
        } catch {
            self.init(text, openAt: error.range)
            return
        }
        guard let last = tokens.dropLast().last, last.range.bytes.upperBound == count else {
            self.init(text, .word, signAt: count, signLength: 0)
            return
        }
        let start = last.range.bytes.lowerBound
        switch last.kind {
        case .word: self.init(text, .word, signAt: start, signLength: 0)
        case .attribute: self.init(text, .attribute, signAt: start, signLength: 1)
        case .argument: self.init(text, .argument, signAt: start, signLength: 1)
        case .symbol, .pathPlaceholder, .placeholder:
            self.init(text, .word, signAt: count, signLength: 0)
        default: return nil
        }
    }

    /// Splits a text that ends in an unclosed token, or in a sign without a name.
    private init?(_ text: String, openAt range: Range<Int>) {
        let rest = text.utf8.dropFirst(range.lowerBound)
        guard let first = rest.first else { return nil }
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            // A text with an escape sequence has many possible continuations.
            guard !rest.contains(UInt8(ascii: "\\")), !rest.dropFirst().contains(first) else {
                return nil
            }
            let quote: Character = first == UInt8(ascii: "'") ? "'" : "\""
            self.init(
                text, .string(quote: quote), signAt: range.lowerBound, signLength: 1,
                keepsSign: true)
        case UInt8(ascii: "`"):
            guard !rest.dropFirst().contains(first) else { return nil }
            self.init(text, .quotedName, signAt: range.lowerBound, signLength: 1)
        case UInt8(ascii: "$") where rest.count == 1:
            self.init(text, .argument, signAt: range.lowerBound, signLength: 1)
        case UInt8(ascii: "@") where rest.count == 1:
            self.init(text, .attribute, signAt: range.lowerBound, signLength: 1)
        default: return nil
        }
    }

    /// - Parameter keepsSign: whether the sign remains in the text when a candidate is chosen.
    private init(
        _ text: String, _ kind: Kind, signAt sign: Int, signLength: Int, keepsSign: Bool = false
    ) {
        before = String(decoding: Array(text.utf8.prefix(sign)), as: UTF8.self)
        word = String(decoding: Array(text.utf8.dropFirst(sign + signLength)), as: UTF8.self)
        start = keepsSign ? sign + signLength : sign
        self.kind = kind
    }
}
