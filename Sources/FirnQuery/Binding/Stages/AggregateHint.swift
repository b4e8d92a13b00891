/// Values over rows that are written as other languages have them.
extension QueryError {
    /// The error of an item with the value over rows that it means elsewhere: `count` or `sum(age)`.
    ///
    /// - Parameter takesCount: whether `count` alone may be meant so.
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
    /// As it is typed, unless it needs more than names.
    fileprivate var typedText: String { segments.map(\.outputText).joined(separator: ".") }
}
