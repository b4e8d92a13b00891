import FirnEngine
import FirnValues

/// Maintains results in the order of a sort.
///
/// Removed rows are located by their old keys, and added rows by their new keys. All other rows
/// have the same keys in both versions, so either version can be read.
extension LiveQuery {
    func advanceOrder(_ step: LiveStep) throws(StoreError) -> LiveChange? {
        let membership = try membership(step)
        let affected = try step.affected(observed)
        guard !membership.isEmpty || !membership.kept.isEmpty || !affected.isEmpty else {
            return nil
        }
        knownKeys.limit(forMembers: members.count)
        let keys = OrderStep(
            old: RowKeys(plan.keys, of: classSchema, step.before, knownKeys),
            new: RowKeys(plan.keys, of: classSchema, step.after, knownKeys))
        let reordered = try keys.reordered(membership.kept)
        let leaving = Set(membership.removed).union(reordered)
        let modified = affected.keys.filter { members.contains($0) && !leaving.contains($0) }
        guard !membership.isEmpty || !reordered.isEmpty || !modified.isEmpty else { return nil }
        let before = plan.isWindow ? rows(window) : []
        guard
            let modifications = try located(of: modified, keys.old),
            let removals = try located(of: Array(leaving), keys.old)
        else {
            // The keys of some rows changed, although no change was reported. Running the query
            // again is correct in any state.
            return try startAgain(step)
        }
        for (index, _) in removals.reversed() { order.remove(at: index) }
        // The cached keys of all other rows are valid in both versions.
        for row in membership.removed + membership.kept { knownKeys.forget(row) }
        for row in membership.removed { _ = members.remove(row) }
        for row in membership.added { _ = members.insert(row) }
        let arrivals = try insert(membership.added + reordered, keys.new)
        var update = MemberUpdate(
            deleted: removals, inserted: arrivals, modified: modifications)
        update.settle(Set(reordered)) { affected[$0] != nil }
        return change(update, affected, before, step)
    }

    /// Returns the positions of members, ascending.
    ///
    /// - Returns: `nil` if a member is not at its expected position.
    private func located(
        of rows: [RowID], _ keys: RowKeys
    ) throws(StoreError) -> [(index: Int, row: RowID)]? {
        var found: [(index: Int, row: RowID)] = []
        for row in try keys.keyed(rows) {
            let location = try order.location { entry throws(StoreError) in
                try keys.isBefore(entry, row)
            }
            guard order.entry(at: location)?.row == row.row else { return nil }
            found.append((order.position(of: location), row.row))
        }
        guard found.count == rows.count else { return nil }
        return found.sorted { $0.index < $1.index }
    }

    /// Inserts rows at the positions given by their keys.
    ///
    /// - Returns: their positions, ascending.
    private func insert(
        _ rows: [RowID], _ keys: RowKeys
    ) throws(StoreError) -> [(index: Int, row: RowID)] {
        // Rows are inserted in sort order, so that no insertion moves an earlier one.
        let keyed = try keys.keyed(rows).sorted { keys.isBefore($0, $1) }
        var found: [(index: Int, row: RowID)] = []
        for row in keyed {
            let location = try order.location { entry throws(StoreError) in
                try keys.isBefore(entry, row)
            }
            found.append((order.position(of: location), row.row))
            order.insert(row.entry, at: location)
        }
        return found
    }
}

/// The keys of rows before and after a step.
private struct OrderStep {
    let old: RowKeys
    let new: RowKeys

    /// Returns the members whose keys changed.
    func reordered(_ rows: [RowID]) throws(StoreError) -> [RowID] {
        guard !rows.isEmpty else { return [] }
        let before = try old.keyed(rows)
        let after = try new.keyed(rows)
        return zip(before, after).compactMap { before, after in
            new.order(before, after) == .equal && before.entry == after.entry ? nil : before.row
        }
    }
}

extension MemberUpdate {
    /// Turns rows that were removed and inserted between the same neighbors into rows that stay.
    ///
    /// The other rows become moves.
    ///
    /// - Parameter isModified: returns whether an observed property of a row changed.
    mutating func settle(_ reordered: Set<RowID>, _ isModified: (RowID) -> Bool) {
        guard !reordered.isEmpty else { return }
        let newByRow = Dictionary(
            uniqueKeysWithValues: inserted.enumerated().map {
                ($1.row, (number: $0, index: $1.index))
            })
        var staying: Set<RowID> = []
        // Among the rows with the same untouched neighbors, a longest run that keeps its order
        // stays.
        let candidates = deleted.enumerated().compactMap { number, item -> (RowID, Int)? in
            guard reordered.contains(item.row), let new = newByRow[item.row],
                item.index - number == new.index - new.number
            else { return nil }
            return (item.row, new.index)
        }
        let isStaying = ChangeSet.longestAscending(candidates.map(\.1))
        for (number, candidate) in candidates.enumerated() where isStaying[number] {
            staying.insert(candidate.0)
        }
        for item in deleted where reordered.contains(item.row) {
            if !staying.contains(item.row), let new = newByRow[item.row] {
                moves.append(ChangeSet.Move(from: item.index, to: new.index))
            } else if isModified(item.row) {
                modified.append(item)
            }
        }
        deleted.removeAll { staying.contains($0.row) }
        inserted.removeAll { staying.contains($0.row) }
    }
}
