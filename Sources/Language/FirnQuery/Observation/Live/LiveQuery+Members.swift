import FirnCodec
import FirnEngine
import FirnValues

/// Maintains results as a set of members.
extension LiveQuery {
    /// The changes to the membership in a step.
    struct Membership {
        /// The added rows, the removed rows, and the rows that remain members although a property
        /// that decides the membership was written; each ascending.
        var added: [RowID] = []
        var removed: [RowID] = []
        var kept: [RowID] = []

        var isEmpty: Bool { added.isEmpty && removed.isEmpty }
    }

    /// Tests the rows that a step touched, without changing the result.
    func membership(_ step: LiveStep) throws(StoreError) -> Membership {
        var result = Membership()
        guard mayTouchMembers(step) else { return result }
        let touched = try step.touched(watched)
        guard !touched.rows.isEmpty else { return result }
        let passing = try passing(touched, step)
        var next = 0
        for row in touched.rows {
            var passes = false
            if next < touched.foundRows.count, touched.foundRows[next] == row {
                passes = passing?[next] ?? true
                next += 1
            }
            switch (members.contains(row), passes) {
            case (true, true): result.kept.append(row)
            case (true, false): result.removed.append(row)
            case (false, true): result.added.append(row)
            case (false, false): break
            }
        }
        return result
    }

    /// Returns whether a step may have changed the membership, or a property that decides it.
    private func mayTouchMembers(_ step: LiveStep) -> Bool {
        if let written = written(step), !written.created.isEmpty || !written.deleted.isEmpty {
            return true
        }
        return step.concerns(watched)
    }

    /// Tests which of the existing rows pass the conditions; `nil` if all do.
    private func passing(_ touched: TouchedRows, _ step: LiveStep) throws(StoreError) -> Bitmap? {
        guard plan.filter != .always(true), !touched.foundRows.isEmpty else { return nil }
        // Conditions differ between queries, so looking for a shared test would cost more.
        return try ObjectTest(classSchema, plan.filter, step.after).passing(touched.found)
    }

    func advanceMembers(_ step: LiveStep) throws(StoreError) -> LiveChange? {
        let membership = try membership(step)
        let affected = try step.affected(observed)
        let before = plan.isWindow ? rows(window) : []
        var update = MemberUpdate()
        let removed = Set(membership.removed)
        for row in affected.keys where members.contains(row) && !removed.contains(row) {
            update.modified.append((members.count(before: row), row))
        }
        guard !membership.isEmpty || !update.modified.isEmpty else { return nil }
        for row in membership.removed { update.deleted.append((members.count(before: row), row)) }
        for row in membership.removed { _ = members.remove(row) }
        for row in membership.added { _ = members.insert(row) }
        for row in membership.added { update.inserted.append((members.count(before: row), row)) }
        return change(update, affected, before, step)
    }

    /// Returns the change to the result for a change to the stored rows.
    ///
    /// - Parameter before: the old result, if it is only a range of the stored rows.
    func change(
        _ update: MemberUpdate, _ affected: [RowID: PropertySet], _ before: [RowID],
        _ step: LiveStep
    ) -> LiveChange {
        guard plan.isWindow else { return update.change(affected, written(step)) }
        return difference(from: before, to: rows(window), affected, step)
    }
}

/// The changes to the stored rows, with their positions.
struct MemberUpdate {
    /// The deleted rows with their old positions.
    var deleted: [(index: Int, row: RowID)] = []
    /// The inserted rows with their new positions.
    var inserted: [(index: Int, row: RowID)] = []
    /// The modified rows with their old positions.
    var modified: [(index: Int, row: RowID)] = []
    var moves: [ChangeSet.Move] = []

    func change(_ properties: [RowID: PropertySet], _ written: ClassChanges?) -> LiveChange {
        let changes = ChangeSet(
            deletions: deleted.map(\.index), insertions: inserted.map(\.index),
            modifications: modified.map(\.index), moves: moves)
        func rows(_ located: [(index: Int, row: RowID)]) -> [RowID] {
            located.sorted { $0.index < $1.index }.map(\.row)
        }
        return LiveChange(
            changes, deleted: rows(deleted), inserted: rows(inserted), modified: rows(modified),
            properties, written)
    }
}
