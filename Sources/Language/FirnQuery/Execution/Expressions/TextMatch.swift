import FirnCodec
import FirnValues

/// Matches texts against patterns that are also values of the row.
///
/// Nothing begins with, ends with or contains a null. Null is like, and equal to, only null.
struct TextMatch {
    private let kind: TextPattern.Kind
    private let options: TextPattern.Options

    init(_ kind: TextPattern.Kind, _ options: TextPattern.Options) {
        self.kind = kind
        self.options = options
    }

    /// Returns the rows that match.
    func rows(_ texts: ColumnVector, _ operands: ColumnVector) -> Bitmap {
        var rows = Bitmap(count: texts.count)
        // Consecutive rows often have the same operand.
        var latest: (operand: Value, matcher: TextMatcher)?
        for row in 0..<texts.count {
            let text = texts.value(at: row)
            let operand = operands.value(at: row)
            guard !operand.isNull else {
                rows[row] = matchesNull(text)
                continue
            }
            if latest?.operand != operand {
                latest = pattern(operand).map { (operand, TextMatcher($0)) }
            }
            rows[row] = latest?.matcher.matches(text) ?? (kind == .notEqual)
        }
        return rows
    }

    /// Returns the test of texts against one operand.
    func test(_ operand: Value) -> (Value) -> Bool {
        guard !operand.isNull else { return matchesNull }
        let matcher = pattern(operand).map { TextMatcher($0) }
        return { matcher?.matches($0) ?? (kind == .notEqual) }
    }

    /// Returns the pattern of an operand; `nil` if it is neither a String nor Data.
    private func pattern(_ operand: Value) -> TextPattern? {
        switch operand {
        case .string(let text): TextPattern(kind, text, options)
        case .data(let bytes): TextPattern(kind, bytes: bytes, options)
        default: nil
        }
    }

    private func matchesNull(_ text: Value) -> Bool {
        switch kind {
        case .equal, .like: text.isNull
        case .notEqual: !text.isNull
        case .beginsWith, .endsWith, .contains, .matches: false
        }
    }
}
