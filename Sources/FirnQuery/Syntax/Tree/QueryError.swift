import FirnValues

/// What is wrong with a query text, and where.
///
/// Names and values from the text stand in it, but nothing that would move a cursor: message, hint
/// and notes can be written to a terminal as they are.
package struct QueryError: Error, Hashable, Sendable {
    /// The kinds of mistake; the command line gives each a stable slug (`query.syntax` and so on).
    package enum Code: Sendable {
        case syntax
        case unknownClass
        case unknownProperty
        /// Operands that do not go together.
        case type
        case missingParameter
        /// A named limit was exceeded: length, nesting, terms, list or pattern size.
        case limit
        /// What the language has, but not here: a stage that this entry point does not allow,
        /// such as `delete` under `query`, or something that this version cannot run.
        case usage
        /// A value that does not fit the property that it is assigned to, or a key that no object
        /// has.
        case value
    }

    package let code: Code
    /// What is wrong, in one sentence without a final stop.
    package let message: String
    /// The UTF-8 offsets of the text in question; empty at the end of the text.
    package let range: Range<Int>
    /// Shown behind the caret, such as `did you mean "name"?`.
    package private(set) var hint: String?
    /// Names that would have been right, nearest first.
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

    /// The same error with another hint.
    func hinting(_ hint: String) -> QueryError {
        var error = self
        error.hint = SafeText.escaping(hint)
        return error
    }
}

extension String {
    /// The text, cut where an error message would become hard to read.
    var shortened: String { utf8.count <= 60 ? self : prefix(40) + "..." }
}
