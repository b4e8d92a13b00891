import FirnCodec
import FirnEngine
import FirnValues

/// Computes the stored rows from a snapshot.
extension LiveQuery {
    func restart(on snapshot: DatabaseSnapshot) throws(StoreError) {
        knownKeys.forgetAll()
        switch plan.base {
        case .members:
            let rows = try StartingRows(plan.baseQuery, snapshot).all()
            members = CountedRows(rows)
        case .order:
            let entries = try StartingRows(plan.baseQuery, snapshot).ordered(by: plan.keys)
            members = CountedRows(entries.map(\.row).sorted())
            order = OrderedRows(entries)
        case .list: list = try listed(in: snapshot)
        }
    }

    /// Returns the result of a query that is run again.
    func listed(in snapshot: DatabaseSnapshot) throws(StoreError) -> [RowID] {
        let candidates = try source.rows(in: snapshot.snapshot)
        if let candidates, plan.query.stages.isEmpty { return candidates }
        return try StartingRows(plan.query, snapshot, among: candidates).all()
    }
}

/// Runs a query for its row ids.
private struct StartingRows {
    private let execution: Execution

    init(
        _ query: BoundQuery, _ snapshot: DatabaseSnapshot, among candidates: [RowID]? = nil
    ) throws(StoreError) {
        execution = try Execution(query, on: snapshot.snapshot, among: candidates)
    }

    func all() throws(StoreError) -> [RowID] {
        let (stream, evaluator) = execution.stream()
        var rows: [RowID] = []
        while let batch = try stream.next() {
            try Self.append(batch.rows, evaluator, to: &rows) { row, _ in row }
        }
        return rows
    }

    /// Returns the rows with the codes of their first sort key.
    func ordered(by keys: [BoundSortKey]) throws(StoreError) -> [OrderedRows.Entry] {
        let (stream, evaluator) = execution.stream()
        guard let key = keys.first else { return [] }
        var entries: [OrderedRows.Entry] = []
        var fetch = ScatteredFetch([key.expression], evaluator)
        while let batch = try stream.next() {
            var rest = batch.rows.references[...]
            while !rest.isEmpty {
                let fetched = try fetch.fetch(rest)
                let count = fetched.indices.count
                var codes: [UInt64] = []
                SortCode.append(fetched.ordered(0..<count)[0], to: &codes)
                try Self.append(BatchRows(rest.prefix(count)), evaluator, to: &entries) {
                    row, index in
                    .init(code: key.descending ? ~codes[index] : codes[index], row: row)
                }
                rest = rest.dropFirst(count)
            }
        }
        return entries
    }

    private static func append<Element>(
        _ rows: BatchRows, _ evaluator: ExpressionEvaluator, to elements: inout [Element],
        _ element: (RowID, Int) -> Element
    ) throws(StoreError) {
        let ids = try evaluator.source.rowIDs(of: rows)
        elements.reserveCapacity(elements.count + ids.count)
        for index in 0..<ids.count {
            elements.append(element(RowID(UInt64(bitPattern: ids.ints[index])), index))
        }
    }
}

extension RowBatch {
    /// The rows as a batch for computations.
    var rows: BatchRows {
        switch self {
        case .run(let run): .group(run.group, run.rows)
        case .scattered(let references): BatchRows(references)
        }
    }
}
