import FirnValues

/// One value over several rows or objects: `@avg(a + b WHERE c > 1)`.
package struct AggregateCall: Hashable, Sendable {
    /// The name with its `@`.
    package let name: String
    /// The collection whose objects are aggregated; `nil` for the rows of the result.
    package let path: Path?
    /// The operand, followed by further arguments.
    package let arguments: [Expression]
    /// The condition on the rows or objects: `WHERE condition`.
    package let condition: Predicate?
    /// The keys of the rows that belong together: `BY keys`.
    package let keys: [Expression]
    package let range: SourceRange

    package init(
        name: String, path: Path?, arguments: [Expression], condition: Predicate?,
        keys: [Expression] = [], range: SourceRange
    ) {
        self.name = name
        self.path = path
        self.arguments = arguments
        self.condition = condition
        self.keys = keys
        self.range = range
    }
}
