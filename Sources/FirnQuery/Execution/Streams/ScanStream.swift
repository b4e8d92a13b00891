import FirnCodec
import FirnEngine

/// Delivers all rows of a source that satisfy a predicate, in the order of the source.
final class ScanStream: RowStream {
    let source: any RowSource
    private let evaluator: PredicateEvaluator
    private var position = 0

    init(_ evaluator: PredicateEvaluator) {
        source = evaluator.source
        self.evaluator = evaluator
    }

    func next() throws(StoreError) -> RowBatch? {
        let count = try source.groupCount()
        while position < count {
            defer { position += 1 }
            if let run = try run(of: position) { return .run(run) }
        }
        return nil
    }

    /// Returns the last rows of the source, searching from its end.
    func lastRun() throws(StoreError) -> RowRun? {
        for group in (0..<(try source.groupCount())).reversed() {
            if let run = try run(of: group) { return run }
        }
        return nil
    }

    /// Returns the matching rows of one group, or `nil` if there are none.
    func run(of group: Int) throws(StoreError) -> RowRun? {
        let verdict = try evaluator.verdict(of: group)
        if verdict == .none { return nil }
        let live = try source.liveRows(of: group)
        var rows: Bitmap
        switch (verdict, live) {
        case (.all, nil):
            return RowRun(group: group, selection: .all(count: source.rowCount(of: group)))
        case (.all, let live?): rows = live
        case (_, let live):
            rows = try evaluator.evaluate(group, candidates: live)
            if let live { rows.formIntersection(live) }
        }
        let population = rows.population
        guard population > 0 else { return nil }
        return RowRun(group: group, selection: .marked(rows, population: population))
    }
}
