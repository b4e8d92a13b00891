import FirnCodec
import FirnEngine

/// Keeps the rows of another stream that satisfy a predicate.
final class FilterStream: RowStream {
    private let stream: any RowStream
    private let evaluator: PredicateEvaluator

    init(_ stream: any RowStream, _ evaluator: PredicateEvaluator) {
        self.stream = stream
        self.evaluator = evaluator
    }

    func next() throws(StoreError) -> RowBatch? {
        while let batch = try stream.next() {
            switch batch {
            case .run(let run):
                let rows = run.rows
                let passing = try passing(run.group, rows)
                let kept = rows.filter { passing[Int($0)] }
                if !kept.isEmpty {
                    return .run(RowRun(group: run.group, selection: .listed(kept)))
                }
            case .scattered(let references):
                let kept = try filter(references)
                if !kept.isEmpty { return .scattered(kept[...]) }
            }
        }
        return nil
    }

    private func passing(_ group: Int, _ rows: [UInt32]) throws(StoreError) -> Bitmap {
        let count = evaluator.source.rowCount(of: group)
        switch try evaluator.verdict(of: group) {
        case .all: return Bitmap(count: count, isSet: true)
        case .none: return Bitmap(count: count)
        case .some: return try evaluator.evaluate(group, candidates: Bitmap(rows, count: count))
        }
    }

    /// Filters scattered rows.
    ///
    /// Each group is evaluated once for all of its rows.
    private func filter(
        _ references: ArraySlice<RowReference>
    ) throws(StoreError) -> [RowReference] {
        let batch = BatchRows(references)
        var kept = Bitmap(count: batch.count)
        try batch.visitGroups { group, rows, positions throws(StoreError) in
            let passing = try passing(group, rows)
            for (index, row) in rows.enumerated() where passing[Int(row)] {
                kept[positions.map { Int($0[index]) } ?? index] = true
            }
        }
        var positions: [UInt32] = []
        kept.appendRows(to: &positions)
        let start = references.startIndex
        return positions.map { references[start + Int($0)] }
    }
}
