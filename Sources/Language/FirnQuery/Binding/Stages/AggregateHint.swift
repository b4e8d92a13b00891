import FirnSyntax
import FirnValues

/// Recognizes aggregates that are written in the syntax of other languages.
extension QueryError {
    /// Returns the error with a hint at the aggregate that an item probably means: `count` or
    /// `sum(age)`.
    ///
    /// - Parameter takesCount: whether `count` alone is recognized.
    func hintingAggregate(_ item: Expression, takesCount: Bool) -> QueryError {
        switch item {
        case .path(let path):
            guard takesCount, code == .unknownProperty, path.variable == nil,
                path.segments.count == 1, path.segments[0].outputText.lowercased() == "count"
            else { return self }
            return hinting("did you mean \"@count\"?")
        case .call(let name, let arguments, _):
            let found = arguments.aggregateItem(name) { _ in
                if case .path(let path)? = arguments.first { path.typedText } else { "" }
            }
            return found.map { hinting("write \($0)") } ?? self
        default: return self
        }
    }
}

extension Path {
    /// The path as text, with `[]` for each index.
    fileprivate var typedText: String { segments.map(\.outputText).joined(separator: ".") }
}
