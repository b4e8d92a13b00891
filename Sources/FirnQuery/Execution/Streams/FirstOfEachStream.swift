import FirnCodec
import FirnEngine
import FirnValues

/// Keeps the first rows of each combination of values, in the order of another stream.
///
/// When the combinations take more memory than a statement may use, all further rows that may be first
/// ones are written to disk, and decided after the last row of the stream.
final class FirstOfEachStream: RowStream {
    private let stream: any RowStream
    private let keys: [BoundExpression]
    private let countMax: Int
    private let evaluator: ExpressionEvaluator
    private let memoryByteCount: Int
    private var fetch: ScatteredFetch
    private var counts: KeyCounts
    /// The rows that are decided at the end.
    private var spilled: SpilledFirsts?
    private var hasEnded = false
    private let canSpill: Bool

    init(
        _ stream: any RowStream, _ countMax: Int, of keys: [BoundExpression],
        _ evaluator: ExpressionEvaluator
    ) {
        self.stream = stream
        self.countMax = countMax
        self.keys = keys
        self.evaluator = evaluator
        fetch = ScatteredFetch(keys, evaluator)
        counts = KeyCounts(countMax)
        // Half of the memory is left for the parts on disk.
        memoryByteCount = evaluator.reader.snapshot.statementByteCount / 2
        canSpill = keys.allSatisfy { $0.kind.isColumnKind }
    }

    func next() throws(StoreError) -> RowBatch? {
        while !hasEnded, let batch = try stream.next() {
            let kept = try kept(of: batch)
            if spilled == nil, canSpill, counts.byteCount > memoryByteCount {
                let kinds = keys.map(\.kind)
                spilled = try SpilledFirsts(kinds, countMax, of: evaluator.reader.snapshot)
            }
            if let kept { return kept }
        }
        hasEnded = true
        let rest = try spilled?.next(after: counts) { () throws(StoreError) in
            try evaluator.reader.checkStopped()
        }
        return rest.flatMap { $0.isEmpty ? nil : .scattered($0[...]) }
    }

    private func kept(of batch: RowBatch) throws(StoreError) -> RowBatch? {
        switch batch {
        case .run(let run):
            let rows = try firstOccurrences(run) ?? run.rows
            let vectors = try keys.map { key throws(StoreError) in
                var vector = ColumnVector(of: key.vectorType)
                try evaluator.append(key, of: .group(run.group, rows), into: &vector)
                return vector
            }
            let group = UInt32(truncatingIfNeeded: run.group)
            let kept = try kept(vectors, rows.count) { RowReference(group: group, row: rows[$0]) }
            guard !kept.isEmpty else { return nil }
            return .run(RowRun(group: run.group, selection: .listed(kept.map { rows[$0] })))
        case .scattered(var rest):
            var references: [RowReference] = []
            while !rest.isEmpty {
                let fetched = try fetch.fetch(rest)
                let count = fetched.indices.count
                let start = rest.startIndex
                let kept = try kept(fetched.ordered(0..<count), count) { rest[start + $0] }
                references += kept.map { rest[start + $0] }
                rest = rest.dropFirst(count)
            }
            return references.isEmpty ? nil : .scattered(references[...])
        }
    }

    /// Returns the rows that have the first occurrences of the values of a page, from which the first
    /// row of each value is chosen; `nil` if all rows have to be read.
    private func firstOccurrences(_ run: RowRun) throws(StoreError) -> [UInt32]? {
        guard countMax == 1, keys.count == 1, case .column(let column) = keys[0] else { return nil }
        // For few rows, reading them is faster than visiting all codes.
        if case .listed = run.selection { return nil }
        guard let page = try evaluator.source.page(column, of: run.group) else { return nil }
        return page.firstOccurrences(in: run.bitmap(rowCount: page.rowCount))?.map(\.row)
    }

    /// Counts rows, and returns the indices of those to keep.
    ///
    /// Rows that are decided later are written to disk.
    private func kept(
        _ vectors: [ColumnVector], _ count: Int, _ reference: (Int) -> RowReference
    ) throws(StoreError) -> [Int] {
        var kept: [Int] = []
        var undecided: [UInt32] = []
        let isSpilling = spilled != nil
        ByteKeys(vectors, rowCount: count).visit { row, key in
            if !isSpilling {
                if counts.keeps(key) { kept.append(row) }
            } else if !counts.isComplete(key) {
                undecided.append(UInt32(truncatingIfNeeded: row))
            }
        }
        if !undecided.isEmpty {
            let keys = vectors.map { vector in
                var part = vector.emptied
                part.append(vector, rows: undecided[...])
                return part
            }
            try spilled?.add(keys, undecided.map { reference(Int($0)) })
        }
        return kept
    }
}
