import FirnEngine
import FirnValues

/// Sorts the rows of a scan on disk, as runs that several threads write.
struct SortedParts: ScanConsumer {
    /// The number of runs of a part before they become larger.
    private static let smallRunCount = 32

    private let memoryByteCount: Int
    private let evaluator: ExpressionEvaluator
    private var rows: SortRows
    /// The memory that all rows on disk took.
    private var writtenByteCount = 0
    /// The rows on disk; `nil` if there are none.
    private(set) var sort: SpilledSort?

    /// - Parameter memoryByteCount: the memory for rows before they are written.
    init(_ keys: [BoundSortKey], _ evaluator: ExpressionEvaluator, memoryByteCount: Int) {
        self.memoryByteCount = memoryByteCount
        self.evaluator = evaluator
        rows = SortRows(keys: keys, tiesByArrival: true, isStopped: evaluator.reader.isStopped)
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        guard case .run(let run) = batch else { return }
        try rows.append(run.rows, of: run.group, evaluator)
        let byteCount = max(SpilledSort.runByteCount, writtenByteCount / Self.smallRunCount)
        if rows.byteCount > min(memoryByteCount, byteCount) { try write() }
    }

    mutating func finish() throws(StoreError) {
        if rows.count > 0 { try write() }
    }

    private mutating func write() throws(StoreError) {
        var sort = if let sort { sort } else { try SpilledSort(of: evaluator.reader.snapshot) }
        try sort.add(rows, path: evaluator.source.path)
        self.sort = sort
        writtenByteCount += rows.byteCount
        rows = SortRows(
            keys: rows.columns.map(\.key), tiesByArrival: true,
            isStopped: evaluator.reader.isStopped)
    }

    mutating func merge(_ later: SortedParts) {
        guard let sort else {
            self.sort = later.sort
            return
        }
        if let other = later.sort { sort.append(other) }
    }
}
