import FirnEngine
import FirnPlatform
import FirnValues

/// Sorts the rows of another stream.
///
/// With a limit, it keeps only about twice as many rows as are requested. For a whole table, it
/// then reads the groups whose zone maps promise the best values first, and never reads a group
/// whose best value comes after the last row that would be kept.
///
/// If only rows far from the first ones are requested, it finds their range of codes, and sorts the
/// rows in that range.
///
/// Without a limit, rows that do not fit into memory are sorted in parts on disk.
final class SortStream: RowStream {
    /// The memory for rows before they are written to disk.
    private let memoryByteCount: Int
    /// The largest limit for which rows are kept in memory although they could be sorted on disk.
    private static let boundedLimitMax = 1 << 20
    /// The maximum number of runs before they become larger.
    private static let smallRunCount = 128

    private var stream: any RowStream
    let keys: [BoundSortKey]
    /// The number of sorted rows after which the stream ends.
    private(set) var limit: Int
    /// The number of leading rows that are not delivered.
    private var leftOutCount = 0
    private let thresholds: SortSelection.Thresholds
    let evaluator: ExpressionEvaluator
    private var isDone = false
    /// The number of threads that read rows.
    var usedThreadCount = 1
    /// The remaining rows, if they were sorted on disk.
    private var spilled: (sort: SpilledSort, count: Int)?
    /// The remaining rows, if they do not need a sort.
    private var equalRows: (any RowStream)?
    /// The memory that all rows on disk took.
    private var spilledByteCount = 0

    init(
        _ stream: any RowStream, _ keys: [BoundSortKey], limit: Int = .max,
        _ evaluator: ExpressionEvaluator,
        memoryByteCount: Int? = nil, thresholds: SortSelection.Thresholds = .init()
    ) {
        self.stream = stream
        self.keys = keys
        self.limit = limit
        self.evaluator = evaluator
        self.thresholds = thresholds
        // Sorting a part takes as much memory again.
        self.memoryByteCount =
            memoryByteCount ?? evaluator.reader.snapshot.statementByteCount / 2
    }

    func leaveOut(_ count: Int) -> Int {
        leftOutCount += count
        return count
    }

    /// Returns all rows at once, unless they were sorted on disk.
    func next() throws(StoreError) -> RowBatch? {
        if isDone { return try nextLeft() }
        isDone = true
        let references = try sorted().dropFirst(leftOutCount)
        return references.isEmpty ? try nextLeft() : .scattered(references)
    }

    /// Returns the next rows that are not in memory.
    private func nextLeft() throws(StoreError) -> RowBatch? {
        if let equalRows { return try equalRows.next() }
        while let (sort, count) = spilled, count > 0 {
            try evaluator.reader.checkStopped()
            var next = sort
            let sorted = try next.next().prefix(count)
            spilled = (next, sorted.isEmpty ? 0 : count - sorted.count)
            let references = sorted.dropFirst(leftOutCount)
            leftOutCount -= sorted.count - references.count
            if !references.isEmpty { return .scattered(references) }
        }
        return nil
    }

    private func sorted() throws(StoreError) -> [RowReference] {
        guard limit > leftOutCount else { return [] }
        if let selection, selection.isUnconditional { return try sorted(by: selection) }
        if isBounded, let scan = stream.scan, !keepsMost(of: scan) {
            return try firstRows(of: scan)
        }
        return try allSorted()
    }

    private func keepsMost(of scan: ScanStream) -> Bool {
        guard let scanner = scan.source.scanner else { return false }
        return Self.keepsMost(limit, of: scanner.rowCount, by: keys)
    }

    /// Returns whether the requested rows are most of a table, so that a bound would exclude few
    /// other rows.
    static func keepsMost(_ limit: Int, of rowCount: Int, by keys: [BoundSortKey]) -> Bool {
        limit > sharedLimitMax && limit >= rowCount / 4 && canSpill(keys)
    }

    /// A search for the requested rows; `nil` if a sort of all rows is faster.
    private var selection: SortSelection? {
        guard let scan = stream.scan,
            let selection = SortSelection(scan, by: keys, evaluator, thresholds),
            SortSelection.isWorthwhile(
                for: positions(of: selection.rowCount), of: selection.rowCount, thresholds)
        else { return nil }
        return selection
    }

    private func positions(of rowCount: Int) -> Range<Int> {
        SortSelection.positions(skipping: leftOutCount, limit: limit, of: rowCount)
    }

    /// Returns the requested rows and some before them.
    private func sorted(by selection: SortSelection) throws(StoreError) -> [RowReference] {
        var selection = selection
        defer { usedThreadCount = selection.usedThreadCount }
        guard let found = try selection.find(positions(of: selection.rowCount)) else { return [] }
        leftOutCount -= found.countBefore
        limit -= found.countBefore
        if let rows = try selection.rows(found) {
            return try sorted(rows)
        }
        stream = selection.stream(found)
        guard !found.areEqual else {
            equalRows = SliceStream(stream, skipping: leftOutCount, taking: limit - leftOutCount)
            return []
        }
        return try allSorted()
    }

    /// Sorts all rows of a scan that several threads read.
    ///
    /// - Returns: the rows in memory; empty if they are on disk, and `nil` if this thread has to read
    ///   them.
    private func sortedOnThreads() throws(StoreError) -> [RowReference]? {
        guard let scan = stream.scan, let predicate = scan.divisible,
            let scanner = scan.source.scanner,
            let partitions = PartitionedScan(of: scan, evaluator.reader)
        else { return nil }
        // Rows that will not fit are written from the first one on.
        let neededByteCount = scanner.rowCount * SortRows.rowByteCount(keyCount: keys.count)
        let memory = RowMemory(
            byteCountMax: canSpill ? memoryByteCount : .max,
            isExceeded: canSpill && predicate == .always(true)
                && neededByteCount > memoryByteCount)
        let selection = selection
        let (keys, share) = (keys, memoryByteCount / Environment.processorCount)
        let parts = try partitions.consume { [givesUp = selection != nil] in
            SortedParts(
                keys, $0, memory: memory, runByteCountMax: share, givesUp: givesUp)
        }
        usedThreadCount = partitions.usedThreadCount
        if memory.isExceeded {
            if let selection { return try sorted(by: selection) }
            spilled = try parts.sortedOnDisk().map { ($0, limit) }
            return []
        }
        return try sorted(parts.rows)
    }

    private func sorted(_ rows: SortRows) throws(StoreError) -> [RowReference] {
        try rows.sorted(limit: limit, path: evaluator.source.path, on: evaluator.reader)
    }

    private func allSorted() throws(StoreError) -> [RowReference] {
        if let sorted = try sortedOnThreads() { return sorted }
        var rows = newRows()
        var fetch = ScatteredFetch(keys.map(\.expression), evaluator)
        while let batch = try stream.next() {
            switch batch {
            case .run(let run):
                try rows.append(run.rows, of: run.group, evaluator)
                if spilled == nil, mustSpill(rows), let selection {
                    rows = newRows()
                    return try sorted(by: selection)
                }
                try makeRoom(&rows)
            case .scattered(var references):
                while !references.isEmpty {
                    let fetched = try fetch.fetch(references)
                    let count = fetched.indices.count
                    try rows.append(
                        references.prefix(count), fetched.ordered(0..<count),
                        path: evaluator.source.path)
                    references = references.dropFirst(count)
                    try makeRoom(&rows)
                }
            }
        }
        guard spilled == nil else {
            if rows.count > 0 { try spill(&rows) }
            return []
        }
        return try sorted(rows)
    }

    private func newRows() -> SortRows {
        SortRows(
            keys: keys, tiesByArrival: true, progress: evaluator.reader.sortProgress,
            isStopped: evaluator.reader.isStopped)
    }

    /// Whether rows can be dropped early.
    ///
    /// A limit near `Int.max` counts as no limit.
    private var isBounded: Bool { limit <= (canSpill ? Self.boundedLimitMax : .max / 4) }

    /// Whether rows can be sorted on disk.
    private var canSpill: Bool { Self.canSpill(keys) }

    private static func canSpill(_ keys: [BoundSortKey]) -> Bool {
        keys.allSatisfy { SortKeyBytes.supports($0.expression.kind) }
    }

    /// The number of rows to collect before the last ones are dropped.
    var keptCount: Int { max(2 * limit, 4096) }

    /// Drops or writes rows that take too much memory.
    private func makeRoom(_ rows: inout SortRows) throws(StoreError) {
        if isBounded {
            guard rows.count > keptCount else { return }
            _ = try rows.keepFirst(limit, path: evaluator.source.path, on: evaluator.reader)
        } else if mustSpill(rows) {
            try spill(&rows)
        }
    }

    private func mustSpill(_ rows: SortRows) -> Bool {
        !isBounded && canSpill
            && rows.byteCount > (spilled == nil ? memoryByteCount : nextRunByteCount)
    }

    private var nextRunByteCount: Int {
        min(memoryByteCount, max(SpilledSort.runByteCount, spilledByteCount / Self.smallRunCount))
    }

    private func spill(_ rows: inout SortRows) throws(StoreError) {
        var sort =
            if let spilled { spilled.sort } else {
                try SpilledSort(of: evaluator.reader.snapshot)
            }
        spilledByteCount += rows.byteCount
        for part in rows.parts(of: nextRunByteCount) {
            try sort.add(part, path: evaluator.source.path)
        }
        spilled = (sort, limit)
        rows = newRows()
    }
}
