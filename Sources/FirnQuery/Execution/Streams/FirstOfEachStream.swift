import FirnCodec
import FirnEngine

/// Keeps the first rows of each combination of values, in the order of another stream.
final class FirstOfEachStream: RowStream {
    private let stream: any RowStream
    private let keys: [BoundExpression]
    private let countMax: Int
    private let evaluator: ExpressionEvaluator
    private var fetch: ScatteredFetch
    private var known = ByteKeySet()
    /// The number of rows of each combination so far.
    private var counts: [Int] = []

    init(
        _ stream: any RowStream, _ countMax: Int, of keys: [BoundExpression],
        _ evaluator: ExpressionEvaluator
    ) {
        self.stream = stream
        self.countMax = countMax
        self.keys = keys
        self.evaluator = evaluator
        fetch = ScatteredFetch(keys, evaluator)
    }

    func next() throws(StoreError) -> RowBatch? {
        while let batch = try stream.next() {
            switch batch {
            case .run(let run):
                let rows = run.rows
                let vectors = try keys.map { key throws(StoreError) in
                    var vector = ColumnVector(of: key.vectorType)
                    try evaluator.append(key, of: .group(run.group, rows), into: &vector)
                    return vector
                }
                let kept = kept(vectors, rows.count).map { rows[$0] }
                if !kept.isEmpty {
                    return .run(RowRun(group: run.group, selection: .listed(kept)))
                }
            case .scattered(var rest):
                var kept: [RowReference] = []
                while !rest.isEmpty {
                    let fetched = try fetch.fetch(rest)
                    let count = fetched.indices.count
                    let start = rest.startIndex
                    kept += self.kept(fetched.ordered(0..<count), count).map { rest[start + $0] }
                    rest = rest.dropFirst(count)
                }
                if !kept.isEmpty { return .scattered(kept[...]) }
            }
        }
        return nil
    }

    /// Counts rows, and returns the indices of those to keep.
    private func kept(_ vectors: [ColumnVector], _ count: Int) -> [Int] {
        var kept: [Int] = []
        ByteKeys(vectors, rowCount: count).visit { row, key in
            let (number, isNew) = known.number(of: key)
            if isNew { counts.append(0) }
            guard counts[number] < countMax else { return }
            counts[number] += 1
            kept.append(row)
        }
        return kept
    }
}
