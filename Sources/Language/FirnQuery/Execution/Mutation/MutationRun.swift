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
    /// Whether the outcome includes the objects that changed.
    var keepsRows = true
    /// Returns whether to cancel; called only while objects are being found, before anything
    /// changes.
    var isStopped: () -> Bool = { false }
    /// Returns whether to continue; called before each batch of objects that are changed.
    var progress: (QueryProgress) -> Bool = { _ in true }

    /// The number of objects that are deleted together, if this does not affect the result.
    private static let deletedCountMax = 1 << 18

    func run() throws(QueryFailure) -> MutationOutcome {
        let snapshot = try QueryFailure.converting(transaction.snapshot())
        let rows = try rows(of: snapshot)
        switch mutation.change {
        case .delete: return try delete(rows)
        case .set(let assignments):
            // Like the values, whether they are unique does not depend on the order of the objects.
            transaction.checksUniqueAtEnd = true
            defer { transaction.checksUniqueAtEnd = false }
            let outcome = try set(assignments, rows, SnapshotReader(snapshot))
            try QueryFailure.converting(transaction.checkUniqueValues())
            return outcome
        }
    }

    /// Returns the row ids of the matching objects in the order of the query, without duplicates.
    private func rows(of snapshot: Snapshot) throws(QueryFailure) -> FoundRows {
        let query = BoundQuery(
            classSchema: mutation.query.classSchema,
            stages: mutation.query.stages + [
                .project([BoundProjection(column: .rowID, name: "@id")])
            ], explain: false, text: mutation.query.text)
        let execution = try QueryFailure.converting(
            Execution(query, on: snapshot, isStopped: isStopped))
        let result = try execution.rows()
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
        // Values that depend on the object are checked before the first one is stored, and computed
        // again for storing them if they take too much memory.
        let isChecked = values.contains { !$0.isConstant }
        let visit = MutationVisit(
            rows: rows, reader: reader, mutation: mutation, progress: progress)
        var kept: [[AssignedValues.Changes]] = []
        if isChecked {
            var room = reader.snapshot.statementByteCount / Self.keptShare
            try visit.run(part: 0, of: 2) { batch throws(QueryFailure) in
                let changes = try values.map { value throws(QueryFailure) in
                    try value.changes(of: batch.rows)
                }
                room -= changes.reduce(0) { $0 + $1.byteCount }
                if room >= 0 { kept.append(changes) }
            }
        }
        var number = 0
        try visit.run(part: isChecked ? 1 : 0, of: isChecked ? 2 : 1) {
            batch throws(QueryFailure) in
            var changes: [AssignedValues.Changes] = []
            if number < kept.count {
                swap(&changes, &kept[number])
                number += 1
            } else {
                changes = try values.map { value throws(QueryFailure) in
                    try value.changes(of: batch.rows)
                }
            }
            try store(changes, values.map(\.place), batch, &outcome)
        }
        return outcome
    }

    /// The ratio of the memory of a statement to the maximum memory of values kept until they are
    /// stored.
    private static let keptShare = 8

    private func store(
        _ changes: [AssignedValues.Changes], _ places: [BoundMutation.Place],
        _ batch: MutationVisit.Batch, _ outcome: inout MutationOutcome
    ) throws(QueryFailure) {
        var changed = Bitmap(count: batch.ids.count)
        let start = batch.ids.startIndex
        for (change, place) in zip(changes, places) {
            let rows =
                change.owners
                ?? change.positions.map { RowID(UInt64(bitPattern: batch.ids[start + Int($0)])) }
            for position in change.positions { changed[Int(position)] = true }
            try store(change.content, place, rows, batch)
        }
        outcome.changed += changed.population
        guard keepsRows else { return }
        for (index, id) in batch.ids.enumerated() where changed[index] {
            outcome.rows.append(RowID(UInt64(bitPattern: id)))
        }
    }

    private func store(
        _ content: AssignedValues.Changes.Content, _ place: BoundMutation.Place, _ rows: [RowID],
        _ batch: MutationVisit.Batch
    ) throws(QueryFailure) {
        guard !rows.isEmpty else { return }
        let (classID, property) = (place.ownerClass.id, place.property)
        // Embedded objects are in the order of their own class.
        let isAscending =
            place.owner == nil
            ? batch.isAscending : zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 }
        // The share of changed objects is probably the same in the rest.
        let more = batch.restCount / max(1, batch.ids.count) * rows.count
        try QueryFailure.converting { () throws(StoreError) in
            switch content {
            case .values(let values) where place.element != nil:
                for (row, value) in zip(rows, values) {
                    guard let edit = place.element?.edit(to: value) else { continue }
                    try transaction.edit(property.id, of: row, in: classID, edit)
                }
            case .vector(let vector) where isAscending:
                try transaction.set(
                    property.id, of: rows, in: classID, to: vector, expecting: more)
            case .values(let values) where isAscending:
                try transaction.set(
                    property.id, of: rows, in: classID, to: values, expecting: more)
            case .vector(let vector):
                for (index, row) in rows.enumerated() {
                    try transaction.set(
                        property.id, of: row, in: classID, to: vector.value(at: index))
                }
            case .values(let values):
                for (row, value) in zip(rows, values) {
                    try transaction.set(property.id, of: row, in: classID, to: value)
                }
            }
        }
    }
}

extension BoundMutation.Place.Element {
    /// Returns the change that gives the element a value.
    fileprivate func edit(to value: Value) -> CollectionEdit {
        switch self {
        case .key(let key, _): .put(key, value)
        case .position(let position, _): .replace(position, value)
        }
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
