import FirnCodec
import FirnEngine
import FirnValues

/// A stream of the rows of a query, batch by batch.
protocol RowStream: AnyObject {
    /// Returns the next rows, or `nil` after the last.
    ///
    /// A batch is never empty.
    func next() throws(StoreError) -> RowBatch?
    /// The scan whose rows the stream delivers unchanged; `nil` if there are other operators.
    var scan: ScanStream? { get }
    /// The number of threads that worked on the rows so far; 1 before the first call of ``next()``.
    var usedThreadCount: Int { get }
    /// Makes the stream omit its first rows, before the first call of ``next()``.
    ///
    /// - Returns: the number of rows that it will leave out, if it has as many: 0 to `count`.
    func leaveOut(_ count: Int) -> Int
}

extension RowStream {
    var scan: ScanStream? { nil }
    var usedThreadCount: Int { 1 }
    func leaveOut(_ count: Int) -> Int { 0 }

    /// Computes a result from all rows, on several threads if they can scan them.
    ///
    /// - Parameters:
    ///   - evaluator: the evaluator of this thread.
    ///   - make: returns the result of no rows, with the evaluator of one thread.
    /// - Returns: the result, and the number of threads that worked on it.
    func consumed<Consumer: ScanConsumer>(
        _ evaluator: ExpressionEvaluator,
        _ make: @escaping @Sendable (ExpressionEvaluator) -> Consumer
    ) throws(StoreError) -> (result: Consumer, threadCount: Int) {
        if let scan = PartitionedScan(of: self, evaluator.reader) {
            return (try scan.consume(make), scan.usedThreadCount)
        }
        var consumer = make(evaluator)
        while let batch = try next() { try consumer.add(batch) }
        try consumer.finish()
        return (consumer, 1)
    }
}

/// Delivers all rows of a source that satisfy a predicate, in the order of the source.
final class ScanStream: RowStream {
    let source: any RowSource
    var scan: ScanStream? { self }
    /// The condition, if other threads can scan the same rows.
    let divisible: BoundPredicate?
    private let evaluator: PredicateEvaluator
    private var position: Int
    /// The end of the groups to read; `nil` for all groups.
    private let end: Int?

    /// - Parameters:
    ///   - groups: the groups to read, instead of all groups.
    ///   - divisible: the condition, if other threads can scan the same rows.
    init(
        _ evaluator: PredicateEvaluator, _ groups: Range<Int>? = nil,
        divisible: BoundPredicate? = nil
    ) {
        self.divisible = divisible
        source = evaluator.source
        self.evaluator = evaluator
        position = groups?.lowerBound ?? 0
        end = groups?.upperBound
    }

    func next() throws(StoreError) -> RowBatch? {
        let end = if let end { end } else { try source.groupCount() }
        while position < end {
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

/// Keeps a range of positions of another stream: `SKIP`, `LIMIT` and `first`.
final class SliceStream: RowStream {
    private let stream: any RowStream
    private var toSkip: Int
    private var toTake: Int

    init(_ stream: any RowStream, skipping: Int = 0, taking: Int = .max) {
        self.stream = stream
        toSkip = skipping - stream.leaveOut(skipping)
        toTake = taking
    }

    func next() throws(StoreError) -> RowBatch? {
        while toTake > 0, let batch = try stream.next() {
            let skipped = min(toSkip, batch.count)
            toSkip -= skipped
            let taken = min(toTake, batch.count - skipped)
            guard taken > 0 else { continue }
            toTake -= taken
            return batch.part(skipped..<(skipped + taken))
        }
        return nil
    }
}

/// Keeps the last row of another stream.
final class LastStream: RowStream {
    private let stream: any RowStream
    private var isDone = false

    init(_ stream: any RowStream) { self.stream = stream }

    func next() throws(StoreError) -> RowBatch? {
        guard !isDone else { return nil }
        isDone = true
        var last: RowBatch?
        if let scan = stream.scan {
            last = try scan.lastRun().map { .run($0) }
        } else {
            while let batch = try stream.next() { last = batch }
        }
        return last.map { $0.part(($0.count - 1)..<$0.count) }
    }
}

/// Delivers rows that were found by key or by `@id`, in table order.
final class LookupStream: RowStream {
    private let runs: [RowRun]
    private var position = 0

    /// - Parameter runs: the rows, ascending by group.
    init(_ runs: [RowRun]) { self.runs = runs }

    func next() -> RowBatch? {
        guard position < runs.count else { return nil }
        defer { position += 1 }
        return .run(runs[position])
    }
}

/// Delivers objects that the caller selected, in a given order: elements of a list, or sources of
/// links.
final class CandidateStream: RowStream {
    private static let batchRowCount = 16_384

    private var rest: ArraySlice<RowReference>

    init(_ rows: [RowReference]) { rest = rows[...] }

    func next() -> RowBatch? {
        guard !rest.isEmpty else { return nil }
        let batch = rest.prefix(CandidateStream.batchRowCount)
        rest = rest.dropFirst(batch.count)
        return .scattered(batch)
    }
}
