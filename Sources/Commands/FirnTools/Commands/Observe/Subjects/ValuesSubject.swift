import FirnEngine
import FirnQuery
import FirnValues

/// The values of a query: the rows of a `group`, aggregates, or a count.
final class ValuesSubject: ObservedSubject {
    let shapes: [ObjectShape]
    let queryText: String?
    private let shape: ObjectShape
    private let live: LiveValues
    private var shown: NumberedRows
    /// The numbers of the shown rows by their keys.
    private var numbers: [[UInt8]: RowID] = [:]
    private var lastNumber: UInt64 = 0

    init(_ query: BoundQuery, on snapshot: DatabaseSnapshot) throws(QueryFailure) {
        live = try LiveValues(query, on: snapshot)
        shape = ObjectShape(live.table, of: query)
        shapes = [shape]
        queryText = query.description
        shown = NumberedRows(live.table, [])
        number(live.table)
    }

    var reasonToRunAgain: String? { live.reasonToRunAgain }

    func count(in snapshot: DatabaseSnapshot) -> Int { shown.table.rowCount }

    /// The value of a query that ends with `count`; otherwise the number of rows.
    var tested: Int {
        guard shown.table.keys.isEmpty, shown.table.columns.map(\.name) == ["count"],
            case .int(let count)? = shown.table.firstValue(0)
        else { return shown.table.rowCount }
        return Int(clamping: count)
    }

    func contents(in snapshot: DatabaseSnapshot) -> [SubjectContent] {
        [SubjectContent(shape: shape, values: shown)]
    }

    func advance(
        from old: DatabaseSnapshot, to new: DatabaseSnapshot, by changes: VersionChanges
    ) throws(QueryFailure) -> ObservedChange? {
        let step = LiveStep(from: old, to: new, by: changes)
        guard let change = try live.advance(step) else { return nil }
        let before = shown
        let set = change.changes
        if set.deletions.isEmpty, set.insertions.isEmpty {
            shown = before.replacing(change.new)
        } else {
            number(change.new)
        }
        let movedFrom = Set(set.moves.map(\.from))
        let movedTo = Set(set.moves.map(\.to))
        var part = ObservedChange.Part(shape: shape, values: (before, shown))
        part.deletions = set.deletions.map { index in
            ObservedChange.Deletion(
                row: before.rows[index], index: index, isGone: true,
                isMoved: movedFrom.contains(index))
        }
        part.insertions = set.insertions.map { index in
            ObservedChange.Insertion(
                row: shown.rows[index], index: index, isNew: true, isMoved: movedTo.contains(index))
        }
        part.modifications = zip(set.modifications, set.modificationsInNew).map { from, to in
            ObservedChange.Modification(
                row: before.rows[from], indices: (from, to), properties: PropertySet())
        }
        return ObservedChange([part])
    }

    /// Shows a table, whose rows keep the numbers that they have.
    private func number(_ table: ValueTable) {
        var known: [[UInt8]: RowID] = [:]
        known.reserveCapacity(table.rowCount)
        let rows = table.identities.map { identity in
            if let row = numbers[identity] {
                known[identity] = row
                return row
            }
            lastNumber += 1
            known[identity] = RowID(lastNumber)
            return RowID(lastNumber)
        }
        numbers = known
        shown = NumberedRows(table, rows)
    }
}
