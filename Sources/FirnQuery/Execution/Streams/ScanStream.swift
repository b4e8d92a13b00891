import FirnCodec
import FirnEngine

/// All rows of a table that satisfy a predicate, in the order of the table.
final class ScanStream: RowStream {
    let scanner: TableScanner
    private let evaluator: PredicateEvaluator
    private var position = 0

    init(_ scanner: TableScanner, _ predicate: BoundPredicate) {
        self.scanner = scanner
        evaluator = PredicateEvaluator(predicate: predicate, scanner: scanner)
    }

    func next() throws(StoreError) -> RowBatch? {
        while position < scanner.groups.count {
            defer { position += 1 }
            if let run = try run(of: position) { return .run(run) }
        }
        return nil
    }

    /// The last rows of the table, found from its end.
    func lastRun() throws(StoreError) -> RowRun? {
        for group in scanner.groups.indices.reversed() {
            if let run = try run(of: group) { return run }
        }
        return nil
    }

    /// The rows of one group, or `nil` if there is none.
    func run(of group: Int) throws(StoreError) -> RowRun? {
        let verdict = try evaluator.verdict(of: group)
        if verdict == .none { return nil }
        let view = scanner.groups[group]
        let live = try view.liveRows()
        var rows: Bitmap
        switch (verdict, live) {
        case (.all, nil):
            return RowRun(group: group, selection: .all(count: view.rowCount))
        case (.all, let live?): rows = live
        case (_, let live):
            rows = try evaluator.evaluate(group)
            if let live { rows.formIntersection(live) }
        }
        let population = rows.population
        guard population > 0 else { return nil }
        return RowRun(group: group, selection: .marked(rows, population: population))
    }
}
