/// What a result was asked with; it is asked again whenever the result is shown.
struct ShellQuery: Hashable {
    /// A class and conditions, or the conditions on the class that was in use; then one refinement
    /// after the other.
    var parts: [String]
    /// The class that was in use.
    var defaultClass: String?

    /// The text that the query language reads.
    var text: String { parts.joined(separator: " | ") }

    /// How often it was refined, itself included.
    var depth: Int { parts.count }

    /// The same with one more refinement; itself if there is nothing in it.
    func refined(by text: String) -> ShellQuery {
        var query = self
        if !text.isEmpty { query.parts.append(text) }
        return query
    }

    /// The same without the last refinement; `nil` if there is none.
    var unrefined: ShellQuery? {
        guard parts.count > 1 else { return nil }
        var query = self
        query.parts.removeLast()
        return query
    }
}
