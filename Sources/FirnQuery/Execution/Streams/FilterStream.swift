import FirnCodec
import FirnEngine

/// Keeps the rows of another stream that satisfy a predicate.
final class FilterStream: RowStream {
    private let source: any RowStream
    private let evaluator: PredicateEvaluator
    /// Scattered rows come back to a group again and again.
    private var passing: [Int: Bitmap] = [:]

    init(_ source: any RowStream, _ predicate: BoundPredicate, _ scanner: TableScanner) {
        self.source = source
        evaluator = PredicateEvaluator(predicate: predicate, scanner: scanner)
    }

    func next() throws(StoreError) -> RowBatch? {
        while let batch = try source.next() {
            switch batch {
            case .run(let run):
                let passing = try evaluator.evaluate(run.group)
                let rows = run.rows.filter { passing[Int($0)] }
                if !rows.isEmpty {
                    return .run(RowRun(group: run.group, selection: .listed(rows)))
                }
            case .scattered(let references):
                let kept = try filter(references)
                if !kept.isEmpty { return .scattered(kept[...]) }
            }
        }
        return nil
    }

    private func filter(
        _ references: ArraySlice<RowReference>
    ) throws(StoreError) -> [RowReference] {
        for reference in references where passing[Int(reference.group)] == nil {
            let group = Int(reference.group)
            passing[group] = try evaluator.evaluate(group)
        }
        return references.filter { passing[Int($0.group)]?[Int($0.row)] ?? false }
    }
}
