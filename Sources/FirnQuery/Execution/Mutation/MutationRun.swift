import FirnCodec
import FirnEngine
package import FirnValues

/// Executes a statement in a transaction.
///
/// The objects are found first, so that no change affects which objects match. New values are
/// computed from the objects as they were before the statement. All values are checked before the
/// first is stored: a value that does not fit leaves the transaction unchanged.
struct MutationRun {
    /// The number of objects that are processed together.
    private static let batchCount = 1_024

    let mutation: BoundMutation
    let transaction: WriteTransaction
    /// Returns whether to cancel; called only while objects are being found, before anything
    /// changes.
    var isStopped: () -> Bool = { false }
    /// Returns whether to continue; called before each batch of objects that are changed.
    var progress: (QueryProgress) -> Bool = { _ in true }

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
    private func rows(of snapshot: Snapshot) throws(QueryFailure) -> [Int64] {
        let query = BoundQuery(
            classSchema: mutation.query.classSchema,
            stages: mutation.query.stages + [
                .project([BoundProjection(column: .rowID, name: "@id")])
            ], explain: false, text: mutation.query.text)
        let result = try QueryFailure.converting(
            Execution(query, on: snapshot, isStopped: isStopped).rows())
        var rows: [Int64] = []
        while let batch = try result.next() { rows += batch.vectors[0].ints }
        return rows
    }

    private func delete(_ rows: [Int64]) throws(QueryFailure) -> MutationOutcome {
        var outcome = MutationOutcome()
        outcome.matched = rows.count
        outcome.changed = rows.count
        outcome.rows = rows.map { RowID(UInt64(bitPattern: $0)) }
        let found = outcome.rows
        try QueryFailure.converting(transaction.delete(found, in: mutation.query.classSchema.id))
        return outcome
    }

    private func set(
        _ assignments: [BoundMutation.Assigned], _ rows: [Int64], _ reader: SnapshotReader
    ) throws(QueryFailure) -> MutationOutcome {
        let values = try assignments.map { assignment throws(QueryFailure) in
            try AssignedValues(assignment, mutation.query, reader)
        }
        var outcome = MutationOutcome()
        outcome.matched = rows.count
        // Values that depend on the object are computed twice: once to check them, and once to
        // store them.
        let isChecked = values.contains { !$0.isConstant }
        if isChecked {
            try visit(rows, reader, part: 0, of: 2) { batch, _ throws(QueryFailure) in
                for value in values { _ = try value.changes(of: batch) }
            }
        }
        try visit(rows, reader, part: isChecked ? 1 : 0, of: isChecked ? 2 : 1) {
            batch, ids throws(QueryFailure) in
            var changed = Bitmap(count: ids.count)
            for value in values {
                for (index, new) in try value.changes(of: batch) {
                    try store(new, value, RowID(UInt64(bitPattern: ids[index])))
                    changed[index] = true
                }
            }
            for index in ids.indices where changed[index] {
                outcome.rows.append(RowID(UInt64(bitPattern: ids[index])))
            }
        }
        outcome.changed = outcome.rows.count
        return outcome
    }

    private func store(
        _ value: Value, _ assigned: AssignedValues, _ row: RowID
    ) throws(QueryFailure) {
        try QueryFailure.converting(
            transaction.set(
                assigned.property.id, of: row, in: mutation.query.classSchema.id, to: value))
    }

    /// Visits the objects as they were before the statement, batch by batch.
    ///
    /// - Parameters:
    ///   - part: the index of this pass over the objects.
    ///   - partCount: the number of passes.
    private func visit(
        _ rows: [Int64], _ reader: SnapshotReader, part: Int, of partCount: Int,
        _ body: (_ batch: BatchRows, _ ids: ArraySlice<Int64>) throws(QueryFailure) -> Void
    ) throws(QueryFailure) {
        var start = 0
        while start < rows.count {
            let done = QueryProgress(
                step: .changing,
                doneRowCount: UInt64(clamping: (part * rows.count + start) / partCount),
                totalRowCount: UInt64(clamping: rows.count))
            guard progress(done) else {
                throw .store(
                    StoreError(
                        .cancelled, path: reader.path, detail: "the statement was given up"))
            }
            let end = min(rows.count, start + Self.batchCount)
            var ids = ColumnVector(kind: .int)
            ids.ints = Array(rows[start..<end])
            ids.count = end - start
            let batch = try QueryFailure.converting { () throws(StoreError) in
                let located = try reader.locator(of: mutation.query.classSchema).locate(ids)
                return BatchRows(located.references)
            }
            try body(batch, ArraySlice(ids.ints))
            start = end
        }
    }
}

/// The outcome of a statement that changes objects.
package struct MutationOutcome: Hashable, Sendable {
    /// The number of objects that matched the query.
    package var matched = 0
    /// The number of matched objects that were modified or deleted.
    package var changed = 0
    /// The objects that were modified or deleted, in the order of the query.
    package var rows: [RowID] = []

    package init() {}
}
