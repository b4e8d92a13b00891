import FirnPlatform
import FirnValues

/// The difference between the entries of an index and its tree in the root.
///
/// It is derived from the changes of the overlay, which do not list entries: the rows of the root
/// that were changed or deleted no longer have their old entries, and these and the appended rows
/// have new ones. Each list ascends.
///
///     entries of the version  =  tree  -  removed  +  added[0]  +  added[1]  + ...
struct IndexChanges: Sendable {
    /// The entries of the root that no longer exist.
    var removed = TreeEntries()
    /// The entries that the root does not have; each list belongs to one appended row group, or to
    /// all changed rows.
    var added: [TreeEntries] = []

    var isEmpty: Bool { removed.isEmpty && added.isEmpty }
}

/// The changes to the indexes of a class, derived once for each state of an overlay.
final class DerivedIndexes: Sendable {
    /// The changes by index; `nil` for changes that cannot be derived in memory.
    private let known = Guarded<[IndexSchema: IndexChanges?]>([:])

    func changes(
        _ index: IndexSchema, _ derive: () throws(StoreError) -> IndexChanges?
    ) throws(StoreError) -> IndexChanges? {
        if let found = known.withLock({ $0[index] }) { return found }
        let changes = try derive()
        known.withLock { $0[index] = .some(changes) }
        return changes
    }
}
