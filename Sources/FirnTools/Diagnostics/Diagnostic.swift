/// An error as the user sees it: what, where, why, and what to do.
///
/// Every error of every layer becomes one of these before it is shown, so that the wording, the
/// slug and the exit status are decided in one place.
package struct Diagnostic: Error, Hashable, Sendable {
    /// A place in a text, counted from 1; columns and lengths in characters.
    package struct Position: Hashable, Sendable {
        package var line: UInt64
        package var column: Int?
        package var length: Int?

        package init(line: UInt64, column: Int? = nil, length: Int? = nil) {
            self.line = line
            self.column = column
            self.length = length
        }
    }

    package let slug: Slug
    /// What is wrong, in one sentence without a final stop.
    package var message: String
    /// The database or input in question, as the user named it.
    package var file: String?
    /// Where in the query text or in the input.
    package var position: Position?
    /// Which property of a record, such as `dogs[3].name`.
    package var property: String?
    /// The beginning of the value in question, safe to show.
    package var value: String?
    /// Names that would have been right, nearest first.
    package var suggestions: [String] = []
    /// Lines below the message: the text with a caret, the properties of the class.
    package var details: [String] = []
    /// What the user can do about it.
    package var remedy: String?

    package init(_ slug: Slug, _ message: String) {
        self.slug = slug
        self.message = message
    }

    package var status: ExitStatus { slug.status }

    /// A command line that cannot be understood.
    package static func usage(_ message: String, remedy: String? = nil) -> Diagnostic {
        var diagnostic = Diagnostic(.usageArguments, message)
        diagnostic.remedy = remedy
        return diagnostic
    }
}
