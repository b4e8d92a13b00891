import FirnCodec
import FirnEngine
import FirnValues

/// Results that are kept by members.
extension LiveQuery {
    /// What a step does to the members.
    struct Membership {
        /// Rows that came, that went, and that were and are members though what decides that was
        /// written to; ascending.
        var added: [RowID] = []
        var removed: [RowID] = []
        var kept: [RowID] = []

        var isEmpty: Bool { added.isEmpty && removed.isEmpty }
    }

    /// Decides anew about the rows that a step touched; nothing is changed yet.
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

    /// Whether a step may have touched who is a member, or what decides that.
    private func mayTouchMembers(_ step: LiveStep) -> Bool {
        if let written = written(step), !written.created.isEmpty || !written.deleted.isEmpty {
            return true
        }
        return step.concerns(watched)
    }

    /// Which of some rows that exist pass the conditions; `nil` if all do.
    private func passing(_ touched: TouchedRows, _ step: LiveStep) throws(StoreError) -> Bitmap? {
        guard plan.filter != .always(true), !touched.foundRows.isEmpty else { return nil }
        // Each query has conditions of its own: to look for an answer to them would cost more.
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

    /// The change of the result that a change of what is kept means.
    ///
    /// - Parameter before: the old result, if it is only a part.
    func change(
        _ update: MemberUpdate, _ affected: [RowID: PropertySet], _ before: [RowID],
        _ step: LiveStep
    ) -> LiveChange {
        guard plan.isWindow else { return update.change(affected, written(step)) }
        return difference(from: before, to: rows(window), affected, step)
    }
}

/// What happened to the rows that are kept, with their positions.
struct MemberUpdate {
    /// With old positions.
    var deleted: [(index: Int, row: RowID)] = []
    /// With new positions.
    var inserted: [(index: Int, row: RowID)] = []
    /// With old positions.
    var modified: [(index: Int, row: RowID)] = []
    var moves: [ChangeSet.Move] = []

    func change(_ properties: [RowID: PropertySet], _ written: ClassChanges?) -> LiveChange {
        let changes = ChangeSet(
            deletions: deleted.map(\.index), insertions: inserted.map(\.index),
            modifications: modified.map(\.index), moves: moves)
        func rows(_ places: [(index: Int, row: RowID)]) -> [RowID] {
            places.sorted { $0.index < $1.index }.map(\.row)
        }
        return LiveChange(
            changes, deleted: rows(deleted), inserted: rows(inserted), modified: rows(modified),
            properties, written)
    }
}
