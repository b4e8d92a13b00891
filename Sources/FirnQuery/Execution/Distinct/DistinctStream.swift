import FirnCodec
import FirnEngine
import FirnValues

/// Keeps the first row of each combination of values, in the order of another stream.
final class DistinctStream: RowStream {
    private let source: any RowStream
    private let columns: [BoundColumn]
    private let scanner: TableScanner
    private var fetch: ScatteredFetch
    private var seen = ByteKeySet()

    init(_ source: any RowStream, _ columns: [BoundColumn], _ scanner: TableScanner) {
        self.source = source
        self.columns = columns
        self.scanner = scanner
        fetch = ScatteredFetch(columns, scanner)
    }

    func next() throws(StoreError) -> RowBatch? {
        while let batch = try source.next() {
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

    /// One column whose page knows its distinct values: looks at those and not at the rows.
    private func newRowsByCode(_ run: RowRun) throws(StoreError) -> [UInt32]? {
        guard columns.count == 1, case .property(let property) = columns[0] else { return nil }
        // Few rows are looked at sooner than all codes.
        if case .listed = run.selection { return nil }
        let page = try scanner.column(property, of: run.group)
        guard let found = page.firstOccurrences(in: run.bitmap(rowCount: page.rowCount)) else {
            return nil
        }
        var key: [UInt8] = []
        return found.compactMap { row, value in
            key.removeAll(keepingCapacity: true)
            ByteKey.append(value, kind: page.kind, to: &key)
            return seen.insert(key) ? row : nil
        }
    }

    private func newRowsByKey(_ run: RowRun) throws(StoreError) -> [UInt32] {
        let rows = run.rows
        let vectors = try columns.map { column throws(StoreError) in
            var vector = ColumnVector(kind: column.type.base)
            try scanner.gather(column, of: run.group, rows: rows, into: &vector)
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
            let count = fetched.places.count
            let start = rest.startIndex
            ByteKeys(fetched.ordered(0..<count), rowCount: count).visit { index, key in
                if seen.insert(key) { kept.append(rest[start + index]) }
            }
            rest = rest.dropFirst(count)
        }
        return kept
    }
}
