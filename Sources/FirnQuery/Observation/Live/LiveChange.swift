package import FirnEngine
package import FirnValues

/// How the result of a live query changed from one version to another.
package struct LiveChange: Sendable {
    /// A row that is not in the result any more.
    package struct Deletion: Hashable, Sendable {
        package let row: RowID
        /// Whether the object is gone; if not, it left the result, or moved in it.
        package let isGone: Bool
    }

    /// A row that came into the result.
    package struct Insertion: Hashable, Sendable {
        package let row: RowID
        /// Whether the object is new; if not, it began to belong to the result, or moved in it.
        package let isNew: Bool
        /// What is observed and was written to, of an object that moved.
        package let properties: PropertySet
    }

    /// A row that stays in the result, and of which something changed that is observed.
    package struct Modification: Hashable, Sendable {
        package let row: RowID
        /// Its index in the new result; the one in the old is in the change set.
        package let to: Int
        /// The properties of the object through which the change is seen.
        ///
        /// They are its own that were written to, or those that lead to what was. What was reached
        /// over inverse links has none.
        package let properties: PropertySet
    }

    package let changes: ChangeSet
    /// Parallel to the deletions of ``changes``.
    package let deleted: [Deletion]
    /// Parallel to the insertions of ``changes``.
    package let inserted: [Insertion]
    /// Parallel to the modifications of ``changes``.
    package let modified: [Modification]
}

extension LiveChange {
    /// - Parameters:
    ///   - deleted: the rows of the deletions, in their order; so are the others.
    ///   - properties: what was written to of the rows that are observed.
    ///   - written: what happened to the class of the rows.
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

    /// - Parameters:
    ///   - old: the whole result before.
    ///   - new: the whole result after.
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
