/// An unfinished text, cut where the word at its end begins.
struct CursorText {
    /// What the word is a part of.
    enum Kind: Equatable {
        /// A name, a keyword, an operator, or nothing yet.
        case word
        /// A name behind a backquote.
        case quotedName
        /// `@count`, with what was typed behind the `@`.
        case attribute
        /// `$name`, with what was typed behind the `$`.
        case argument
        /// A string behind that quote.
        case string(quote: Character)
    }

    /// The text before the word, and before its quote or sign.
    let before: String
    let kind: Kind
    /// What was typed of the word, without its quote or sign.
    let word: String
    /// Where the text of a candidate goes, in UTF-8: behind the quote of a string.
    let start: Int

    /// `nil` where nothing can be completed: in a comment, in a number, behind what cannot be cut
    /// into words.
    init?(_ text: String, entry: QueryEntry) {
        let count = text.utf8.count
        let tokens: [Token]
        do throws(QueryError) {
            // The probe shows whether the cursor stands in a comment.
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

    /// The text ends in something that is not closed, or in a sign without a name.
    private init?(_ text: String, openAt range: Range<Int>) {
        let rest = text.utf8.dropFirst(range.lowerBound)
        guard let first = rest.first else { return nil }
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            // What an escape stands for may go on in many ways.
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

    /// - Parameter keepsSign: whether the sign stays where it is when a candidate is chosen.
    private init(
        _ text: String, _ kind: Kind, signAt sign: Int, signLength: Int, keepsSign: Bool = false
    ) {
        before = String(decoding: Array(text.utf8.prefix(sign)), as: UTF8.self)
        word = String(decoding: Array(text.utf8.dropFirst(sign + signLength)), as: UTF8.self)
        start = keepsSign ? sign + signLength : sign
        self.kind = kind
    }
}
