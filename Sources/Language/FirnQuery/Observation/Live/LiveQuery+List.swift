import FirnEngine
import FirnValues

/// Maintains results by running the query again if an object on which they depend was touched.
extension LiveQuery {
    func advanceList(_ step: LiveStep) throws(StoreError) -> LiveChange? {
        let affected = try step.affected(observed)
        guard try isTouched(step) else { return modifications(affected, step) }
        let before = list
        list = try listed(in: step.new)
        if plan.query.stages.isEmpty, let edits = source.listEdits(in: step.changes),
            let change = edited(edits, before, affected, step)
        {
            return change
        }
        return difference(from: before, to: list, affected, step)
    }

    /// Returns whether the rows of the result or their order may have changed.
    private func isTouched(_ step: LiveStep) throws(StoreError) -> Bool {
        if source.isConcerned(by: step.changes, classSchema) { return true }
        return try !step.affected(watched).isEmpty
    }

    /// Returns the modifications of the current rows.
    private func modifications(
        _ affected: [RowID: PropertySet], _ step: LiveStep
    ) -> LiveChange? {
        guard !affected.isEmpty else { return nil }
        let changes = ChangeSet(
            modifications: list.indices.filter { affected[list[$0]] != nil })
        return LiveChange(changes, from: list, to: list, affected, written(step))
    }

    /// Returns the changes made by the edits of a list, each taken individually.
    ///
    /// Replacing an object is a modification, even if the new object is the same.
    private func edited(
        _ edits: [CollectionEdit], _ before: [RowID], _ affected: [RowID: PropertySet],
        _ step: LiveStep
    ) -> LiveChange? {
        guard var changes = ChangeSet(edits, ofListOf: before.count),
            before.count - changes.deletions.count + changes.insertions.count == list.count
        else { return nil }
        // A moved object may have been replaced afterwards.
        changes = changes.keepingMoves { before[$0] == list[$1] }
        if observed == nil {
            // Only members count: a replaced object was removed, and the new one was added.
            changes = changes.replacing { before[$0] != list[$1] }
        } else {
            let modified = list.indices.filter { affected[list[$0]] != nil }
            changes = changes.modifying(modified.compactMap { changes.oldIndex(of: $0) })
        }
        return LiveChange(changes, from: before, to: list, affected, written(step))
    }
}
