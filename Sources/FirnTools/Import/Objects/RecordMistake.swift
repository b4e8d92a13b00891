import FirnEngine
import FirnValues

/// What is wrong with a record, and where in it.
///
/// Thrown without a path; each level that it passes on its way up puts its own step in front.
struct RecordMistake: Error {
    let slug: Slug
    /// What is wrong, in one sentence without a final stop.
    let message: String
    let place: JSONPlace
    /// The beginning of the value, safe to show.
    var excerpt: String?
    var suggestions: [String] = []
    var details: [String] = []
    var remedy: String?
    /// Which property, element or entry, such as `dogs[3].name`.
    private(set) var path = ""

    init(_ slug: Slug, _ message: String, at place: JSONPlace) {
        self.slug = slug
        self.message = message
        self.place = place
    }

    init(_ slug: Slug, _ message: String, _ tree: JSONTree) {
        self.init(slug, message, at: tree.place)
        excerpt = tree.excerpt
    }

    init(_ mistake: JSONMistake) {
        self.init(Diagnostic.slug(mistake.code), mistake.message, at: mistake.place)
        excerpt = mistake.excerpt
        remedy = mistake.remedy
        path = mistake.path
    }

    /// A name that means nothing, with the names that do.
    init(
        _ slug: Slug, unknown name: String, what: String, among names: [String],
        at place: JSONPlace
    ) {
        self.init(slug, "there is no \(what) \"\(SafeText.escaping(name))\"", at: place)
        suggestions = NearestNames.misspelt(name, among: names)
        if let first = suggestions.first {
            details.append("did you mean \"\(SafeText.escaping(first))\"?")
        }
    }

    /// The same mistake, seen from the object that has the property.
    func inside(property name: String) -> RecordMistake { inside(name) }

    /// The same mistake, seen from the list or set.
    func inside(element index: Int) -> RecordMistake { inside("[\(index)]") }

    /// The same mistake, seen from the map.
    func inside(entry key: String) -> RecordMistake {
        inside("[" + Value.string(key).quoted + "]")
    }

    private func inside(_ step: String) -> RecordMistake {
        var outer = self
        let isMember = !path.isEmpty && !path.hasPrefix("[")
        outer.path = step + (isMember ? "." : "") + path
        return outer
    }

    /// The mistake as the user sees it.
    ///
    /// - Parameter name: the input.
    func diagnostic(in name: String) -> Diagnostic {
        var text = "\(SafeText.escaping(name)):\(place.line)"
        let property = path.isEmpty ? nil : SafeText.excerpt(of: path.utf8)
        if let property { text += ", " + property }
        var diagnostic = Diagnostic(slug, "\(text): \(message)")
        diagnostic.property = property
        diagnostic.value = excerpt
        diagnostic.file = name
        diagnostic.position = Diagnostic.Position(line: place.line)
        diagnostic.suggestions = suggestions
        diagnostic.details = (excerpt.map { [$0] } ?? []) + details
        diagnostic.remedy = remedy
        return diagnostic
    }
}

/// Why a record was not written.
enum RecordError: Error {
    /// The record is wrong; nothing of it was written.
    case rejected(RecordMistake)
    /// The store could not go on.
    case store(StoreError)
}
