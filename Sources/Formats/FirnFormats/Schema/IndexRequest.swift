package import FirnEngine
import FirnValues

/// An index as the command line names it: `Person.name`, `Person.name[c]`, `Flight(origin, dest)`.
package struct IndexRequest {
    package let className: String
    package let propertyNames: [String]
    package let options: IndexSchema.Options
    package let text: String

    /// Parses a request; `nil` if it is not one, or is incomplete.
    package init?(argument: String) {
        guard let marked = MarkedText(argument) else { return nil }
        var range = marked.trimmed(marked.scalars.indices)
        text = argument
        var options: IndexSchema.Options = []
        if range.count > 3, marked.name(range.suffix(3)) == "[c]",
            marked.first("[", in: range.suffix(3)) != nil
        {
            options = .caseInsensitive
            range = marked.trimmed(range.dropLast(3))
        }
        self.options = options
        let open = marked.first("(", in: range)
        if let dot = marked.first(".", in: range), dot < open ?? .max {
            className = marked.name(range.lowerBound..<dot)
            guard let names = marked.names(dot + 1..<range.upperBound) else { return nil }
            propertyNames = names
        } else if let open {
            className = marked.name(range.lowerBound..<open)
            guard let names = marked.names(open..<range.upperBound) else { return nil }
            propertyNames = names
        } else {
            return nil
        }
        if className.isEmpty || propertyNames.contains(where: \.isEmpty) { return nil }
    }

    /// Returns the index to add.
    ///
    /// - Parameter isUnique: Whether no two objects may have the same values.
    package func definition(isUnique: Bool) -> ClassDefinition.Index {
        ClassDefinition.Index(propertyNames, options: isUnique ? options.union(.unique) : options)
    }
}
