package import FirnEngine
package import FirnValues

/// The change to a live query's result from one version to another.
package struct LiveChange: Sendable {
    /// A row that is no longer in the result at its old index.
    package struct Deletion: Hashable, Sendable {
        package let row: RowID
        /// Whether the object was deleted.
        ///
        /// If not, it left the result, or moved within it.
        package let isGone: Bool
    }

    /// A row that was added to the result at its new index.
    package struct Insertion: Hashable, Sendable {
        package let row: RowID
        /// Whether the object was created.
        ///
        /// If not, it entered the result, or moved within it.
        package let isNew: Bool
        /// The observed properties of a moved object that were written.
        package let properties: PropertySet
    }

    /// A row that stays in the result and whose observed property changed.
    package struct Modification: Hashable, Sendable {
        package let row: RowID
        /// Its index in the new result.
        ///
        /// The change set contains the index in the old result.
        package let to: Int
        /// The properties of the object through which the change is visible.
        ///
        /// These are its own properties that were written, or those that lead to the objects that
        /// were written. A change that is reached through inverse links has none.
        package let properties: PropertySet
    }

    package let changes: ChangeSet
    /// The deletions, parallel to those of ``changes``.
    package let deleted: [Deletion]
    /// The insertions, parallel to those of ``changes``.
    package let inserted: [Insertion]
    /// The modifications, parallel to those of ``changes``.
    package let modified: [Modification]
}

extension LiveChange {
    /// Creates a change from its rows.
    ///
    /// - Parameters:
    ///   - deleted: the rows of the deletions, in their order. The other rows are given in the same
    ///     way.
    ///   - properties: the observed properties of each row that were written.
    ///   - written: the changes to the class of the rows.
    init(
        _ changes: ChangeSet, deleted: [RowID], inserted: [RowID], modified: [RowID],
        _ properties: [RowID: PropertySet], _ written: ClassChanges?
    ) {
        self.changes = changes
        self.deleted = deleted.map { row in
            Deletion(row: row, isGone: written?.deleted.containsAscending(row) ?? false)
        }
        let moved = Set(changes.moves.map(\.to))
        self.inserted = zip(changes.insertions, inserted).map { index, row in
            Insertion(
                row: row, isNew: written?.created.containsAscending(row) ?? false,
                properties: moved.contains(index)
                    ? properties[row] ?? PropertySet() : PropertySet())
        }
        self.modified = zip(changes.modificationsInNew, modified).map { index, row in
            Modification(row: row, to: index, properties: properties[row] ?? PropertySet())
        }
    }

    /// Creates a change from two complete results.
    ///
    /// - Parameters:
    ///   - old: the whole result before the change.
    ///   - new: the whole result after the change.
    init(
        _ changes: ChangeSet, from old: [RowID], to new: [RowID],
        _ properties: [RowID: PropertySet], _ written: ClassChanges?
    ) {
        self.init(
            changes, deleted: changes.deletions.map { old[$0] },
            inserted: changes.insertions.map { new[$0] },
            modified: changes.modificationsInNew.map { new[$0] }, properties, written)
    }
}
