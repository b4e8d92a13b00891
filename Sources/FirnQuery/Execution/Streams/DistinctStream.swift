import FirnCodec
import FirnEngine
import FirnValues

/// Keeps the first row of each combination of values, in the order of another stream.
final class DistinctStream: RowStream {
    private let stream: any RowStream
    private let keys: [BoundExpression]
    private let evaluator: ExpressionEvaluator
    private var fetch: ScatteredFetch
    private var seen = ByteKeySet()

    init(
        _ stream: any RowStream, _ keys: [BoundExpression], _ evaluator: ExpressionEvaluator
    ) {
        self.stream = stream
        self.keys = keys
        self.evaluator = evaluator
        fetch = ScatteredFetch(keys, evaluator)
    }

    func next() throws(StoreError) -> RowBatch? {
        while let batch = try stream.next() {
            switch batch {
            case .run(let run):
                var rows = try newRowsByCode(run)
                if rows == nil { rows = try newRowsByKey(run) }
                if let rows, !rows.isEmpty {
                    return .run(RowRun(group: run.group, selection: .listed(rows)))
                }
            case .scattered(let references):
                let kept = try newRows(references)
                if !kept.isEmpty { return .scattered(kept[...]) }
            }
        }
        return nil
    }

    /// Finds the new rows of a single column by the distinct values of its page, without reading
    /// the rows.
    private func newRowsByCode(_ run: RowRun) throws(StoreError) -> [UInt32]? {
        guard keys.count == 1, case .column(let column) = keys[0] else { return nil }
        // For few rows, reading them is faster than visiting all codes.
        if case .listed = run.selection { return nil }
        guard let page = try evaluator.source.page(column, of: run.group),
            let found = page.firstOccurrences(in: run.bitmap(rowCount: page.rowCount))
        else { return nil }
        var key: [UInt8] = []
        return found.compactMap { row, value in
            key.removeAll(keepingCapacity: true)
            ByteKey.append(value, kind: page.kind, to: &key)
            return seen.insert(key) ? row : nil
        }
    }

    private func newRowsByKey(_ run: RowRun) throws(StoreError) -> [UInt32] {
        let rows = run.rows
        let vectors = try keys.map { key throws(StoreError) in
            var vector = ColumnVector(of: key.vectorType)
            try evaluator.append(key, of: .group(run.group, rows), into: &vector)
            return vector
        }
        var kept: [UInt32] = []
        ByteKeys(vectors, rowCount: rows.count).visit { index, key in
            if seen.insert(key) { kept.append(rows[index]) }
        }
        return kept
    }

    private func newRows(
        _ references: ArraySlice<RowReference>
    ) throws(StoreError) -> [RowReference] {
        var rest = references
        var kept: [RowReference] = []
        while !rest.isEmpty {
            let fetched = try fetch.fetch(rest)
            let count = fetched.indices.count
            let start = rest.startIndex
            ByteKeys(fetched.ordered(0..<count), rowCount: count).visit { index, key in
                if seen.insert(key) { kept.append(rest[start + index]) }
            }
            rest = rest.dropFirst(count)
        }
        return kept
    }
}
