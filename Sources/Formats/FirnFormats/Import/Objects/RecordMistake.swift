package import FirnEngine
package import FirnText
import FirnValues

/// An error in a record, and its position.
///
/// It is thrown without a path; each level that it passes prepends its own step.
package struct RecordMistake: Error {
    package let slug: Slug
    /// A description of the error, in one sentence without a final period.
    package let message: String
    let position: TextPosition
    /// The start of the value, safe to show.
    package var excerpt: String?
    var suggestions: [String] = []
    package var details: [String] = []
    package var remedy: String?
    /// The path of the property, element or entry, such as `dogs[3].name`.
    private(set) var path = ""

    package init(_ slug: Slug, _ message: String, at position: TextPosition) {
        self.slug = slug
        self.message = message
        self.position = position
    }

    package init(_ slug: Slug, _ message: String, _ tree: JSONTree) {
        self.init(slug, message, at: tree.position)
        excerpt = tree.excerpt
    }

    package init(_ mistake: JSONMistake) {
        self.init(Diagnostic.slug(mistake.code), mistake.message, at: mistake.position)
        excerpt = mistake.excerpt
        remedy = mistake.remedy
        path = mistake.path
    }

    /// An unknown name, with the known names.
    package init(
        _ slug: Slug, unknown name: String, what: String, among names: [String],
        at position: TextPosition
    ) {
        self.init(slug, "there is no \(what) \"\(SafeText.escaping(name))\"", at: position)
        suggestions = NearestNames.misspelt(name, among: names)
        if let first = suggestions.first {
            details.append("did you mean \"\(SafeText.escaping(first))\"?")
        }
    }

    /// Returns the same error relative to the object that has the property.
    func inside(property name: String) -> RecordMistake { inside(name) }

    /// Returns the same error relative to the list or set.
    func inside(element index: Int) -> RecordMistake { inside("[\(index)]") }

    /// Returns the same error relative to the map.
    func inside(entry key: String) -> RecordMistake {
        inside("[" + Value.string(key).quoted + "]")
    }

    private func inside(_ step: String) -> RecordMistake {
        var outer = self
        let isMember = !path.isEmpty && !path.hasPrefix("[")
        outer.path = step + (isMember ? "." : "") + path
        return outer
    }

    /// The size of a line that a person looks through for a value.
    private static let lineBytesMax: UInt64 = 200

    /// Returns the error as the user sees it.
    ///
    /// - Parameter name: the input.
    package func diagnostic(in name: String) -> Diagnostic {
        var text = "\(SafeText.escaping(name)):\(position.line)"
        let property = path.isEmpty ? nil : SafeText.excerpt(of: path.utf8)
        if let property { text += ", " + property }
        var diagnostic = Diagnostic(slug, "\(text): \(message)")
        diagnostic.property = property
        diagnostic.value = excerpt
        diagnostic.file = name
        diagnostic.position = Diagnostic.Position(line: position.line)
        diagnostic.suggestions = suggestions
        diagnostic.details = (excerpt.map { [$0] } ?? []) + details
        // An array in one line has all of its records there.
        if position.line == 1, position.offset >= Self.lineBytesMax {
            diagnostic.details.append("at byte \(position.offset) of the input")
        }
        diagnostic.remedy = remedy
        return diagnostic
    }
}

/// The reason why a record was not written.
package enum RecordError: Error {
    /// The record is invalid; nothing of the record was written.
    case rejected(RecordMistake)
    /// The store cannot continue.
    case store(StoreError)
}
