import FirnValues

/// The query of a result, which runs again whenever the result is shown.
struct ShellQuery: Hashable {
    /// A class and conditions, or conditions on the default class, followed by the refinements.
    var parts: [String]
    /// The default class at the time of the query.
    var defaultClass: String?

    /// The text that the query language reads.
    var text: String { parts.joined(separator: " | ") }

    /// The number of parts: the query and its refinements.
    var depth: Int { parts.count }

    /// Returns the query with one more refinement; the same query if the refinement is empty.
    func refined(by text: String) -> ShellQuery {
        var query = self
        if !text.isEmpty { query.parts.append(text) }
        return query
    }

    /// The query without the last refinement; `nil` if there is none.
    var unrefined: ShellQuery? {
        guard parts.count > 1 else { return nil }
        var query = self
        query.parts.removeLast()
        return query
    }
}
