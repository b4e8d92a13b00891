package import FirnValues

/// What a statement did.
package struct MutationOutcome: Hashable, Sendable {
    /// Objects that the query found.
    package var matched = 0
    /// Objects of these that are different now, or deleted.
    package var changed = 0
    /// The objects that are different now or deleted, in the order of the query.
    package var rows: [RowID] = []

    package init() {}
}
