import FirnCodec
import FirnEngine
import FirnPlatform
import FirnValues

/// Finds the first rows of a whole table in some order, without sorting the table.
extension SortStream {
    func firstRows(of scan: ScanStream) throws(StoreError) -> [RowReference] {
        let search = FirstRowsSearch(try groupsByPromise())
        let path = evaluator.source.path
        var rows = newFirstRows()
        // The best groups usually yield a bound that excludes most others, or all of them.
        try collect(into: &rows, scan, search, firstGroups: Self.firstGroupCount)
        let left = search.promisingCount
        if let predicate = scan.divisible, let scanner = scan.source.scanner,
            left >= Self.groupCountPerThread, limit <= Self.sharedLimitMax
        {
            let (schema, keys, limit) = (scanner.schema, keys, limit)
            let threadCount = min(
                Environment.processorCount, left / Self.groupCountPerThread + 1)
            usedThreadCount = try search.shared.run(on: threadCount, evaluator.reader) {
                reader, _ in
                search.note { () throws(StoreError) in
                    let scanner = try reader.scanner(of: schema)
                    let scan = ScanStream(PredicateEvaluator(predicate, scanner, reader))
                    let evaluator = ExpressionEvaluator(source: scanner, reader: reader)
                    let sort = SortStream(scan, keys, limit: limit, evaluator)
                    var rows = sort.newFirstRows()
                    try sort.collect(into: &rows, scan, search)
                    _ = try rows.keepFirst(limit, path: path)
                    return rows
                }
            }
            for found in search.found { try rows.append(found, path: path) }
        } else {
            try collect(into: &rows, scan, search)
        }
        return try rows.sorted(limit: limit, path: path, on: evaluator.reader)
    }

    /// The minimum number of row groups for which another thread is worthwhile.
    private static let groupCountPerThread = 8
    /// The largest limit for which each thread keeps its own rows.
    static let sharedLimitMax = 1 << 14
    /// The maximum number of row groups that are read before other threads begin.
    private static let firstGroupCount = 2

    private func newFirstRows() -> SortRows {
        SortRows(keys: keys, tiesByArrival: false, isStopped: evaluator.reader.isStopped)
    }

    /// Collects rows of the groups that no thread has taken, until none of them can be among the
    /// first.
    ///
    /// - Parameter groupCount: the number of groups after which collecting ends, and it ends with a
    ///   bound; `nil` for all groups.
    private func collect(
        into rows: inout SortRows, _ scan: ScanStream, _ search: FirstRowsSearch,
        firstGroups groupCount: Int? = nil
    ) throws(StoreError) {
        var takenCount = 0
        while takenCount < groupCount ?? .max, groupCount == nil || search.knownBound == nil,
            let (group, known) = search.next()
        {
            takenCount += 1
            guard let run = try scan.run(of: group) else { continue }
            /// Rows with a first code above the bound can no longer be among the first rows.
            var bound = known
            var position = 0
            while position < run.count {
                // Without a bound, only a few rows are read at a time. They yield a bound, which
                // excludes most of the other rows.
                let end = bound == nil ? min(run.count, position + firstCount) : run.count
                let candidates = try candidates(run.part(position..<end), bound)
                position = end
                if !candidates.isEmpty { try rows.append(candidates, of: group, evaluator) }
                if rows.count > keptCount || (bound == nil && rows.count >= limit) {
                    bound = search.lower(
                        try rows.keepFirst(
                            limit, path: evaluator.source.path, on: evaluator.reader))
                }
            }
        }
    }

    /// The number of rows that are read while there is no bound yet.
    private var firstCount: Int { max(2 * limit, 1024) }

    /// Returns the groups, each with the smallest code that one of its rows can have, best first.
    private func groupsByPromise() throws(StoreError) -> [(best: UInt64, group: Int)] {
        var groups: [(best: UInt64, group: Int)] = []
        for group in 0..<(try evaluator.source.groupCount()) {
            let codes = try keys.first.map { key throws(StoreError) in
                try evaluator.source.codes(of: key, in: group)
            }
            groups.append((best: codes?.lowerBound ?? 0, group: group))
        }
        return groups.sorted { ($0.best, $0.group) < ($1.best, $1.group) }
    }

    /// Returns the rows of a run whose first code does not exceed the bound.
    private func candidates(_ run: RowRun, _ bound: UInt64?) throws(StoreError) -> [UInt32] {
        guard let bound, let key = keys.first else { return run.rows }
        if let rows = try evaluator.source.rows(of: run, notAfter: bound, in: key) { return rows }
        let rows = run.rows
        let codes = try evaluator.codes(of: key, .group(run.group, rows))
        return zip(rows, codes).filter { $0.1 <= bound }.map(\.0)
    }
}

/// The groups that threads search for the first rows in some order, and what they know about them.
private final class FirstRowsSearch: @unchecked Sendable {
    /// The groups, each with the smallest code that one of its rows can have, best first.
    private let groups: [(best: UInt64, group: Int)]
    let shared = SharedScan()

    private let lock = Lock()
    // Protected by the lock. The rows of a thread are used by the caller after its end.
    private var taken = 0
    /// The smallest code that the last of the first rows can have; `nil` if too few are known.
    private var bound: UInt64?
    private var rows: [SortRows] = []

    init(_ groups: [(best: UInt64, group: Int)]) { self.groups = groups }

    /// Takes the next group; `nil` if no row of the remaining groups can be among the first.
    func next() -> (group: Int, bound: UInt64?)? {
        guard !shared.isStopped else { return nil }
        return lock.withLock {
            guard taken < groups.count else { return nil }
            let (best, group) = groups[taken]
            if let bound, best > bound { return nil }
            taken += 1
            return (group, bound)
        }
    }

    /// The current upper bound of the codes of the first rows; `nil` while too few rows are known.
    var knownBound: UInt64? { lock.withLock { bound } }

    /// The number of groups that no thread has taken, and whose rows can be among the first.
    var promisingCount: Int {
        lock.withLock {
            groups[taken...].prefix { group in bound.map { group.best <= $0 } ?? true }.count
        }
    }

    /// Records a bound, and returns the smallest known bound.
    func lower(_ found: UInt64?) -> UInt64? {
        lock.withLock {
            if let found { bound = min(found, bound ?? found) }
            return bound
        }
    }

    /// Records the rows that a thread has found.
    func note(_ find: () throws(StoreError) -> SortRows) {
        do throws(StoreError) {
            let found = try find()
            lock.withLock { rows.append(found) }
        } catch { shared.fail(error) }
    }

    var found: [SortRows] { lock.withLock { rows } }
}
