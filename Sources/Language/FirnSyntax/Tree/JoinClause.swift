import FirnValues

/// `join(w = Weather; origin == w.origin, hour == w.hour)`.
package struct JoinClause: Hashable, Sendable {
    /// The name by which later stages refer to the found objects.
    package let name: String
    package let className: String
    package let classRange: SourceRange
    /// Whether all matching objects are found, and not only the first one: `ALL Weather`.
    package let findsAll: Bool
    package let conditions: [Predicate]
}
