import FirnEngine
import FirnValues

/// The rows of a scan that several threads read for sorting: in memory or, if there are too many,
/// in sorted runs on disk.
///
///     in memory    rows + rows + rows                         sorted when all are known
///     on disk      run 1, run 2 + run 3 + run 4, run 5        each sorted by one thread
struct SortedParts: ScanConsumer {
    /// The number of runs of a part before they become larger.
    private static let smallRunCount = 32

    private let memory: RowMemory
    private let runByteCountMax: Int
    /// Whether the rows are discarded if there are too many.
    private let givesUp: Bool
    private let evaluator: ExpressionEvaluator
    /// The rows in memory.
    private(set) var rows: SortRows
    /// The memory that was taken for them.
    private var takenByteCount = 0
    /// The memory that all rows on disk took.
    private var writtenByteCount = 0
    /// The rows on disk, all of which precede the rows in memory; `nil` if there are none.
    private(set) var sort: SpilledSort?

    /// - Parameters:
    ///   - memory: the memory for all rows before they are written.
    ///   - runByteCountMax: the memory of a thread for rows after that.
    ///   - givesUp: whether rows are missing if there are too many for the memory.
    init(
        _ keys: [BoundSortKey], _ evaluator: ExpressionEvaluator, memory: RowMemory,
        runByteCountMax: Int, givesUp: Bool = false
    ) {
        self.memory = memory
        self.runByteCountMax = runByteCountMax
        self.givesUp = givesUp
        self.evaluator = evaluator
        rows = SortRows(keys: keys, tiesByArrival: true, isStopped: evaluator.reader.isStopped)
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        guard case .run(let run) = batch, !isGivenUp else { return }
        try rows.append(run.rows, of: run.group, evaluator)
        if memory.isExceeded {
            if rows.byteCount > runByteCount { try write() }
        } else {
            let needed = rows.byteCount
            _ = memory.take(needed - takenByteCount)
            takenByteCount = needed
        }
    }

    var isGivenUp: Bool { givesUp && memory.isExceeded }

    private var runByteCount: Int {
        min(
            runByteCountMax,
            max(SpilledSort.runByteCount, writtenByteCount / Self.smallRunCount))
    }

    /// Writes all rows if there are too many for the memory.
    mutating func finish() throws(StoreError) {
        if memory.isExceeded, !givesUp { try write() }
    }

    private mutating func write() throws(StoreError) {
        guard rows.count > 0 else { return }
        var sort = if let sort { sort } else { try SpilledSort(of: evaluator.reader.snapshot) }
        for part in rows.parts(of: runByteCount) {
            try sort.add(part, path: evaluator.source.path)
        }
        self.sort = sort
        writtenByteCount += rows.byteCount
        takenByteCount = 0
        rows = SortRows(
            keys: rows.columns.map(\.key), tiesByArrival: true,
            isStopped: evaluator.reader.isStopped)
    }

    /// Writes the remaining rows to disk and returns the sorted runs, after the last row; `nil` if
    /// there are no rows.
    consuming func sortedOnDisk() throws(StoreError) -> SpilledSort? {
        try write()
        return sort
    }

    mutating func merge(_ later: SortedParts) throws(StoreError) {
        var later = later
        guard sort != nil || later.sort != nil else {
            return try rows.append(later.rows, path: evaluator.source.path)
        }
        try write()
        try later.write()
        guard let sort else {
            self.sort = later.sort
            return
        }
        if let other = later.sort { sort.append(other) }
    }
}
