import FirnCodec
import FirnEngine

/// Rows of a query in their order, run by run.
protocol RowStream: AnyObject {
    /// The next run, never empty, or `nil` after the last.
    func next() throws(StoreError) -> RowRun?
}

/// All rows of a table that satisfy a predicate, in the order of the table.
final class ScanStream: RowStream {
    let scanner: TableScanner
    private let evaluator: PredicateEvaluator
    private var position = 0

    init(_ scanner: TableScanner, _ predicate: BoundPredicate) {
        self.scanner = scanner
        evaluator = PredicateEvaluator(predicate: predicate, scanner: scanner)
    }

    func next() throws(StoreError) -> RowRun? {
        while position < scanner.groups.count {
            defer { position += 1 }
            if let run = try run(of: position) { return run }
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

/// Keeps the rows of another stream that satisfy a predicate.
final class FilterStream: RowStream {
    private let source: any RowStream
    private let scanner: TableScanner
    private let evaluator: PredicateEvaluator
    /// Runs of a sorted stream come back to a group again and again.
    private var passing: [Int: Bitmap] = [:]

    init(_ source: any RowStream, _ predicate: BoundPredicate, _ scanner: TableScanner) {
        self.source = source
        self.scanner = scanner
        evaluator = PredicateEvaluator(predicate: predicate, scanner: scanner)
    }

    func next() throws(StoreError) -> RowRun? {
        while let run = try source.next() {
            let bitmap: Bitmap
            if let known = passing[run.group] {
                bitmap = known
            } else {
                bitmap = try evaluator.evaluate(run.group)
                passing[run.group] = bitmap
            }
            let rows = run.rows.filter { bitmap[Int($0)] }
            if !rows.isEmpty { return RowRun(group: run.group, selection: .listed(rows)) }
        }
        return nil
    }
}

/// Keeps a part of another stream by position: `SKIP`, `LIMIT` and `first`.
final class SliceStream: RowStream {
    private let source: any RowStream
    private var toSkip: Int
    private var toTake: Int

    init(_ source: any RowStream, skipping: Int = 0, taking: Int = .max) {
        self.source = source
        toSkip = skipping
        toTake = taking
    }

    func next() throws(StoreError) -> RowRun? {
        while toTake > 0, let run = try source.next() {
            let skipped = min(toSkip, run.count)
            toSkip -= skipped
            let taken = min(toTake, run.count - skipped)
            guard taken > 0 else { continue }
            toTake -= taken
            return run.part(skipped..<(skipped + taken))
        }
        return nil
    }
}

/// Keeps the last row of another stream.
final class LastStream: RowStream {
    private let source: any RowStream
    private var isDone = false

    init(_ source: any RowStream) { self.source = source }

    func next() throws(StoreError) -> RowRun? {
        guard !isDone else { return nil }
        isDone = true
        var last: RowRun?
        while let run = try source.next() { last = run }
        return last.map { $0.part(($0.count - 1)..<$0.count) }
    }
}
