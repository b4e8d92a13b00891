package import FirnValues

/// The outcome of a statement that changes objects.
package struct MutationOutcome: Hashable, Sendable {
    /// The number of objects that matched the query.
    package var matched = 0
    /// The number of matched objects that were modified or deleted.
    package var changed = 0
    /// The objects that were modified or deleted, in the order of the query.
    package var rows: [RowID] = []

    package init() {}
}
