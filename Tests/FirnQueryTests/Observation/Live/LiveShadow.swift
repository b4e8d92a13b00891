import FirnEngine
import FirnValues

@testable import FirnQuery

/// A live query and a copy of its result that is updated by the changes only.
struct LiveShadow {
    let live: LiveQuery
    let query: BoundQuery
    let source: LiveSource
    let observed: ObservedPaths
    private var rows: [RowID]

    init(
        _ query: BoundQuery, on snapshot: DatabaseSnapshot, among source: LiveSource = .objects,
        observing observed: ObservedPaths
    ) throws {
        self.query = query
        self.source = source
        self.observed = observed
        live = try LiveQuery(query, on: snapshot, among: source, observing: observed)
        rows = try Self.fresh(query, source, snapshot)
    }

    private static func fresh(
        _ query: BoundQuery, _ source: LiveSource, _ snapshot: DatabaseSnapshot
    ) throws -> [RowID] {
        try snapshot.rowIDs(query, among: source.rows(in: snapshot.snapshot))
    }

    /// Follows a change and returns the errors in the report of the live query.
    mutating func advance(
        _ step: LiveStep, _ oracle: ModificationOracle
    ) throws -> String? {
        let before = rows
        let fresh = try Self.fresh(query, source, step.new)
        let change = try live.advance(step)
        guard live.rowIDs(0..<live.count) == fresh else {
            return "the rows are \(live.rowIDs(0..<live.count)) instead of \(fresh)"
        }
        guard live.restartCount == 0 else { return "it was found again" }
        let changes = change?.changes ?? ChangeSet()
        if change != nil, changes.isEmpty { return "an empty change was delivered" }
        let copy = change.map { Self.applied($0, to: before) } ?? before
        guard copy == fresh else { return "the copy is \(copy) instead of \(fresh) by \(changes)" }
        rows = copy
        if let change, let problem = check(change, before, fresh, oracle) { return problem }
        return checkModifications(changes, before, fresh, oracle)
    }

    private static func applied(_ change: LiveChange, to old: [RowID]) -> [RowID] {
        var rows: [Int: RowID] = [:]
        for (index, inserted) in zip(change.changes.insertions, change.inserted) {
            rows[index] = inserted.row
        }
        for modified in change.modified { rows[modified.to] = modified.row }
        return change.changes.applied(to: old) { rows[$0] ?? RowID(.max) }
    }

    /// Checks the details of the rows beside their positions.
    private func check(
        _ change: LiveChange, _ before: [RowID], _ after: [RowID], _ oracle: ModificationOracle
    ) -> String? {
        let changes = change.changes
        guard change.deleted.map(\.row) == changes.deletions.map({ before[$0] }),
            change.inserted.map(\.row) == changes.insertions.map({ after[$0] }),
            change.modified.map(\.row) == changes.modificationsInNew.map({ after[$0] })
        else { return "the rows of the changes are others: \(change)" }
        let root = query.classSchema
        for deleted in change.deleted
        where deleted.isGone == oracle.new.exists(deleted.row, in: root) {
            return "@id \(deleted.row.rawValue) is gone or not"
        }
        for inserted in change.inserted
        where inserted.isNew == oracle.old.exists(inserted.row, in: root) {
            return "@id \(inserted.row.rawValue) is new or not"
        }
        for move in changes.moves where before[move.from] != after[move.to] {
            return "another row moved: \(change)"
        }
        return nil
    }

    /// The modified rows are exactly those that stay with a change of an observed property, and
    /// those stored at a position of a list.
    private func checkModifications(
        _ changes: ChangeSet, _ before: [RowID], _ after: [RowID], _ oracle: ModificationOracle
    ) -> String? {
        var mayBeReplaced = false
        if case .elements = source, observed != .membership {
            mayBeReplaced = query.stages.isEmpty
        }
        for index in before.indices {
            guard let place = changes.newIndex(of: index) else { continue }
            let isModified = changes.modifications.contains(index)
            let expected = oracle.isModified(after[place], of: query.classSchema, observed)
            if isModified == expected || isModified && mayBeReplaced { continue }
            return "@id \(after[place].rawValue) is \(expected ? "" : "not ")modified"
        }
        return nil
    }
}
