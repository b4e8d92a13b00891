import FirnEngine
import FirnValues

/// Results that are run again, but only when something that they depend on was touched.
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

    /// Whether the result may have other rows now, or another order.
    private func isTouched(_ step: LiveStep) throws(StoreError) -> Bool {
        if source.isConcerned(by: step.changes, classSchema) { return true }
        return try !step.affected(watched).isEmpty
    }

    /// Modifications of the rows that are there.
    private func modifications(
        _ affected: [RowID: PropertySet], _ step: LiveStep
    ) -> LiveChange? {
        guard !affected.isEmpty else { return nil }
        let changes = ChangeSet(
            modifications: list.indices.filter { affected[list[$0]] != nil })
        return LiveChange(changes, from: list, to: list, affected, written(step))
    }

    /// What the edits of a list did, each for itself: an object that was put in the place of another
    /// is a modification, also if it is the same.
    private func edited(
        _ edits: [CollectionEdit], _ before: [RowID], _ affected: [RowID: PropertySet],
        _ step: LiveStep
    ) -> LiveChange? {
        guard var changes = ChangeSet(edits, ofListOf: before.count),
            before.count - changes.deletions.count + changes.insertions.count == list.count
        else { return nil }
        // What was moved may have been replaced after that.
        changes = changes.keepingMoves { before[$0] == list[$1] }
        if observed == nil {
            // Only members count: another one went, and this one came.
            changes = changes.replacing { before[$0] != list[$1] }
        } else {
            let modified = list.indices.filter { affected[list[$0]] != nil }
            changes = changes.modifying(modified.compactMap { changes.oldIndex(of: $0) })
        }
        return LiveChange(changes, from: before, to: list, affected, written(step))
    }
}
