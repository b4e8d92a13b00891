import FirnCodec
import FirnEngine
import FirnValues

/// The lookups of one thread in a join on disk.
///
/// It refers to neither the classes nor their reader, which own it.
final class SpilledJoinLookup: JoinLookup {
    private let join: SpilledJoin
    /// The matches of the rows of each source.
    private var known: [ObjectIdentifier: (source: Source, matches: MatchReader)] = [:]

    /// A source, which may be released and replaced by another at the same address.
    private struct Source {
        weak var object: (any RowSource)?
    }

    init(_ join: SpilledJoin) { self.join = join }

    private func matches(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> MatchReader {
        let identifier = ObjectIdentifier(source)
        if let known = known[identifier], known.source.object === source { return known.matches }
        let reader = SnapshotReader(classes)
        let evaluator = ExpressionEvaluator(source: source, reader: reader)
        // The rows of this source are not known before they are requested.
        if source.isOnDemand {
            return MatchReader(try join.matches(of: rows.references.sorted(), evaluator))
        }
        let matches: JoinMatches
        if let scanner = source.scanner, try reader.isOfWholeClass(scanner) {
            matches = try join.ofClasses.value(
                for: scanner.schema.id, checkStopped: reader.checkStopped
            ) { () throws(StoreError) in try join.matches(evaluator) }
        } else {
            matches = try join.matches(evaluator)
        }
        let found = MatchReader(matches)
        known[identifier] = (Source(object: source), found)
        return found
    }

    func visitTargets(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses,
        _ body: PathEvaluator.Chunk
    ) throws(StoreError) {
        let matches = try matches(source, rows, classes)
        let found = try matches.find(rows)
        let findsAll = join.join.findsAll
        var chunk = JoinedChunk(capacity: findsAll ? PathEvaluator.chunkCountMax : found.count)
        for (row, match) in found.enumerated() where match.count > 0 {
            var start: Int64 = 0
            while start < match.count {
                let end = start + min(match.count - start, max(1, Int64(chunk.room)))
                try chunk.add(to: UInt32(truncatingIfNeeded: row)) { ids throws(StoreError) in
                    try matches.append(match, start..<end, to: &ids)
                }
                start = end
                if findsAll, chunk.isFull { try chunk.deliver(to: body) }
            }
        }
        try chunk.deliver(to: body)
    }

    func aggregates(
        _ aggregate: JoinedAggregate, _ source: any RowSource, _ rows: BatchRows,
        _ classes: OpenedClasses
    ) -> ColumnVector? { nil }

    func counts(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> [UInt32] {
        try matches(source, rows, classes).find(rows).map { UInt32(clamping: $0.count) }
    }

    func values(
        _ column: BoundColumn, _ source: any RowSource, _ rows: BatchRows,
        _ classes: OpenedClasses
    ) -> ColumnVector? { nil }
}

/// Reads matches, fastest if requested in the order of the rows.
private final class MatchReader {
    struct Match {
        var count: Int64 = 0
        var start: Int64 = 0
    }

    private let matches: JoinMatches
    private let rows: PagedRows

    init(_ matches: JoinMatches) {
        self.matches = matches
        rows = PagedRows(matches.file, matches.pages, kinds: JoinMatches.kinds)
    }

    /// Returns the match of each row.
    func find(_ batch: BatchRows) throws(StoreError) -> [Match] {
        let numbers = batch.numbers.ints
        var found = [Match](repeating: Match(), count: numbers.count)
        var page = -1
        var position = 0
        for index in order(of: numbers) {
            let number = numbers[index]
            let next = self.page(of: number, from: page)
            guard next >= 0 else { continue }
            if next != page { (page, position) = (next, 0) }
            let known = try column(.row, of: page)
            position = Self.position(of: number, in: known, from: position)
            guard position < known.count, known[position] == number else { continue }
            found[index] = Match(
                count: try column(.count, of: page)[position],
                start: try column(.start, of: page)[position])
        }
        return found
    }

    /// Returns the indices of numbers in ascending order.
    private func order(of numbers: [Int64]) -> [Int] {
        zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 }
            ? Array(numbers.indices) : numbers.indices.sorted { numbers[$0] < numbers[$1] }
    }

    private func column(_ column: JoinMatches.Column, of page: Int) throws(StoreError) -> [Int64] {
        try rows.vector(column.rawValue, of: page).ints
    }

    /// Returns the page that may contain a number, or -1.
    private func page(of number: Int64, from page: Int) -> Int {
        let pages = matches.pages
        if page >= 0, page + 1 == pages.count || number < pages[page + 1].first { return page }
        return pages[max(0, page)...].partitioningIndex { $0.first > number } - 1
    }

    /// Returns the position of the first number that is at least a given one.
    private static func position(of number: Int64, in known: [Int64], from start: Int) -> Int {
        var (low, high) = (start, known.count)
        // Rows follow each other closely in most batches.
        var step = 1
        while low < high, low + step < high, known[low + step] < number {
            low += step
            step *= 2
        }
        high = min(high, low + step + 1)
        return known[low..<max(low, high)].partitioningIndex { $0 >= number }
    }

    /// Appends some of the row ids of a match.
    func append(
        _ match: Match, _ range: Range<Int64>, to ids: inout [Int64]
    ) throws(StoreError) {
        try matches.append(range, count: match.count, start: match.start, to: &ids)
    }
}
