import FirnCodec
import FirnEngine
package import FirnValues

/// Executes a statement in a transaction.
///
/// The objects are found first, so that no change affects which objects match. New values are
/// computed from the objects as they were before the statement. All values are checked before the
/// first is stored: a value that does not fit leaves the transaction unchanged.
struct MutationRun {
    let mutation: BoundMutation
    let transaction: WriteTransaction
    /// Whether the outcome has the objects that changed.
    var keepsRows = true
    /// Returns whether to cancel; called only while objects are being found, before anything
    /// changes.
    var isStopped: () -> Bool = { false }
    /// Returns whether to continue; called before each batch of objects that are changed.
    var progress: (QueryProgress) -> Bool = { _ in true }

    /// The number of objects that are deleted together, if that makes no difference.
    private static let deletedCountMax = 1 << 18

    func run() throws(QueryFailure) -> MutationOutcome {
        let snapshot = try QueryFailure.converting(transaction.snapshot())
        let rows = try rows(of: snapshot)
        switch mutation.change {
        case .delete: return try delete(rows)
        case .set(let assignments):
            return try set(assignments, rows, SnapshotReader(snapshot))
        }
    }

    /// Returns the row ids of the matching objects in the order of the query, without duplicates.
    private func rows(of snapshot: Snapshot) throws(QueryFailure) -> FoundRows {
        let query = BoundQuery(
            classSchema: mutation.query.classSchema,
            stages: mutation.query.stages + [
                .project([BoundProjection(column: .rowID, name: "@id")])
            ], explain: false, text: mutation.query.text)
        let result = try QueryFailure.converting(
            Execution(query, on: snapshot, isStopped: isStopped).rows())
        var rows = FoundRows()
        while let batch = try result.next() { rows.append(batch.vectors[0].ints) }
        return rows
    }

    private func delete(_ rows: FoundRows) throws(QueryFailure) -> MutationOutcome {
        var outcome = MutationOutcome()
        outcome.matched = rows.count
        outcome.changed = rows.count
        let classID = mutation.query.classSchema.id
        let canDivide = try QueryFailure.converting(transaction.canDeleteInParts(classID))
        let inParts = canDivide && rows.isAscending && !keepsRows
        var rest = rows.count
        var ids = rows.makeIterator()
        while rest > 0 {
            let found = ids.next(atMost: inParts ? Self.deletedCountMax : rest)
                .map { RowID(UInt64(bitPattern: $0)) }
            rest -= found.count
            if keepsRows { outcome.rows = found }
            try QueryFailure.converting(transaction.delete(found, in: classID, expecting: rest))
        }
        return outcome
    }

    private func set(
        _ assignments: [BoundMutation.Assigned], _ rows: FoundRows, _ reader: SnapshotReader
    ) throws(QueryFailure) -> MutationOutcome {
        let values = try assignments.map { assignment throws(QueryFailure) in
            try AssignedValues(assignment, mutation.query, reader)
        }
        var outcome = MutationOutcome()
        outcome.matched = rows.count
        // Values that depend on the object are computed twice: once to check them, and once to
        // store them.
        let isChecked = values.contains { !$0.isConstant }
        let visit = MutationVisit(
            rows: rows, reader: reader, mutation: mutation, progress: progress)
        if isChecked {
            try visit.run(part: 0, of: 2) { batch throws(QueryFailure) in
                for value in values { _ = try value.changes(of: batch.rows) }
            }
        }
        try visit.run(part: isChecked ? 1 : 0, of: isChecked ? 2 : 1) {
            batch throws(QueryFailure) in
            try store(values, batch, &outcome)
        }
        return outcome
    }

    private func store(
        _ values: [AssignedValues], _ batch: MutationVisit.Batch, _ outcome: inout MutationOutcome
    ) throws(QueryFailure) {
        var changed = Bitmap(count: batch.ids.count)
        for value in values {
            let changes = try value.changes(of: batch.rows)
            var rows: [RowID] = []
            var new: [Value] = []
            rows.reserveCapacity(changes.count)
            new.reserveCapacity(changes.count)
            for (index, value) in changes {
                rows.append(RowID(UInt64(bitPattern: batch.ids[batch.ids.startIndex + index])))
                new.append(value)
                changed[index] = true
            }
            try store(new, value.property, rows, batch)
        }
        outcome.changed += changed.population
        guard keepsRows else { return }
        for (index, id) in batch.ids.enumerated() where changed[index] {
            outcome.rows.append(RowID(UInt64(bitPattern: id)))
        }
    }

    private func store(
        _ values: [Value], _ property: PropertySchema, _ rows: [RowID],
        _ batch: MutationVisit.Batch
    ) throws(QueryFailure) {
        let classID = mutation.query.classSchema.id
        guard batch.isAscending else {
            for (row, value) in zip(rows, values) {
                try QueryFailure.converting(
                    transaction.set(property.id, of: row, in: classID, to: value))
            }
            return
        }
        // The share of changed objects is probably the same in the rest.
        let more = batch.restCount / max(1, batch.ids.count) * rows.count
        try QueryFailure.converting(
            transaction.set(property.id, of: rows, in: classID, to: values, expecting: more))
    }
}

/// The outcome of a statement that changes objects.
package struct MutationOutcome: Hashable, Sendable {
    /// The number of objects that matched the query.
    package var matched = 0
    /// The number of matched objects that were modified or deleted.
    package var changed = 0
    /// The objects that were modified or deleted, in the order of the query, if they are kept.
    package var rows: [RowID] = []

    package init() {}
}
