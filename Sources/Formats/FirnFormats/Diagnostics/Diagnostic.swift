import FirnValues

/// An error as the user sees it: what is wrong, where, why, and what to do.
///
/// Every error of every layer is converted to a diagnostic before it is shown, so that the wording,
/// the slug and the exit status are defined in one place.
package struct Diagnostic: Error, Hashable, Sendable {
    /// A position in a text; line and column are counted from 1, columns and lengths in characters.
    package struct Position: Hashable, Sendable {
        var line: UInt64
        var column: Int?
        var length: Int?

        package init(line: UInt64, column: Int? = nil, length: Int? = nil) {
            self.line = line
            self.column = column
            self.length = length
        }
    }

    package let slug: Slug
    /// A description of the error, in one sentence without a final period.
    package var message: String
    /// The affected database or input, as the user named it.
    package var file: String?
    /// The position in the query text or in the input.
    package var position: Position?
    /// The path of the property in a record, such as `dogs[3].name`.
    package var property: String?
    /// The start of the affected value, safe to show.
    package var value: String?
    /// The hint that follows the caret of a query, such as `did you mean "name"?`.
    var hint: String?
    /// The suggested names, nearest first.
    package var suggestions: [String] = []
    /// The lines below the message: the text with a caret, the properties of the class.
    package var details: [String] = []
    /// The suggested action.
    package var remedy: String?

    package init(_ slug: Slug, _ message: String) {
        self.slug = slug
        self.message = message
    }

    package var status: ExitStatus { slug.status }

    /// Reports an invalid command line.
    package static func usage(_ message: String, remedy: String? = nil) -> Diagnostic {
        var diagnostic = Diagnostic(.usageArguments, message)
        diagnostic.remedy = remedy
        return diagnostic
    }
}
