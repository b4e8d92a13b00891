import FirnValues

/// An error in a query text, with its location.
///
/// It contains names and values from the text, but no control characters: message, hint and notes
/// can be written to a terminal unchanged.
package struct QueryError: Error, Hashable, Sendable {
    /// The kinds of errors.
    ///
    /// The command line gives each a stable slug (`query.syntax` and so on).
    package enum Code: Sendable {
        case syntax
        case unknownClass
        case unknownProperty
        /// Operands of incompatible types.
        case type
        case missingParameter
        /// A named limit was exceeded: length, nesting, terms, list or pattern size.
        case limit
        /// A feature of the language that is not available here.
        ///
        /// Examples are a stage that this entry point does not allow, such as `delete` under
        /// `query`, and a feature that this version cannot run.
        case usage
        /// A value that does not fit the assigned property, or a key that no object has.
        case value
    }

    package let code: Code
    /// The message: one sentence without a final period.
    package let message: String
    /// The UTF-8 offsets of the invalid text; empty at the end of the text.
    package let range: Range<Int>
    /// The text after the caret, such as `did you mean "name"?`.
    package private(set) var hint: String?
    /// Names that would be valid, nearest first.
    package let suggestions: [String]
    /// Further lines below the caret, such as the properties of the class.
    package let notes: [String]

    package init(
        _ code: Code, _ message: String, at range: Range<Int>, hint: String? = nil,
        suggestions: [String] = [], notes: [String] = []
    ) {
        self.code = code
        self.message = SafeText.escaping(message)
        self.range = range
        self.hint = hint.map(SafeText.escaping)
        self.suggestions = suggestions
        self.notes = notes.map(SafeText.escaping)
    }

    /// Returns the same error with another hint.
    package func hinting(_ hint: String) -> QueryError {
        var error = self
        error.hint = SafeText.escaping(hint)
        return error
    }
}

extension String {
    /// The text, truncated where an error message would become hard to read.
    package var shortened: String { utf8.count <= 60 ? self : prefix(40) + "..." }
}
