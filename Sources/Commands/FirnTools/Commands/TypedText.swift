import FirnFormats
import FirnQuery
import FirnSyntax
import FirnValues

/// The text of a query, composed of the words that a person typed and the parts that options add.
///
/// Errors show what was typed, with the position in it.
struct TypedText {
    private struct Part {
        /// The location in the whole text.
        let range: Range<Int>
        /// The argument or value that contains it, and the offset of the part in it.
        let typed: String
        let start: Int
        /// The option of the value; `nil` for a query.
        let option: String?
    }

    private(set) var text = ""
    private var parts: [Part] = []

    init() {}

    /// Creates a text that was typed as a whole.
    init(_ text: String) { add(text, of: text, from: 0, option: nil) }

    /// Appends a part of the typed text.
    ///
    /// - Parameter typed: the whole argument, in which the part begins at an offset.
    mutating func add(_ part: String, of typed: String, from start: Int, option: String?) {
        let first = text.utf8.count
        text += part
        parts.append(
            Part(range: first..<text.utf8.count, typed: typed, start: start, option: option))
    }

    /// Appends a text that nobody typed.
    mutating func add(_ text: String) { self.text += text }

    /// Returns an error with its range in the typed text, and that text.
    ///
    /// The text is empty if the error is of something that an option has added.
    func located(_ error: QueryError) -> (error: QueryError, text: String) {
        let isOfOption = error.code == .unknownClass && error.range.isEmpty
        let range = error.range
        guard !isOfOption,
            let part = parts.last(where: { $0.range.lowerBound <= range.lowerBound }),
            range.lowerBound <= part.range.upperBound
        else {
            return (
                error.moved(to: 0..<0, adding: isOfOption ? ["in the value of -c"] : []),
                isOfOption || !parts.isEmpty ? "" : text
            )
        }
        let shift = part.start - part.range.lowerBound
        let upper = min(max(range.upperBound, range.lowerBound), part.range.upperBound)
        return (
            error.moved(
                to: range.lowerBound + shift..<upper + shift,
                adding: part.option.map { ["in the value of \($0)"] } ?? []), part.typed
        )
    }
}

extension QueryError {
    fileprivate func moved(to range: Range<Int>, adding more: [String]) -> QueryError {
        QueryError(
            code, message, at: range, hint: hint, suggestions: suggestions, notes: notes + more)
    }
}

extension CommandFailure {
    /// A query failed.
    init(_ error: QueryFailure, _ text: TypedText, file: String?) {
        guard case .query(let mistake) = error else {
            self.init(error, text: text.text, file: file)
            return
        }
        let (located, typed) = text.located(mistake)
        self.init(.query(located), text: typed, file: file)
    }
}
