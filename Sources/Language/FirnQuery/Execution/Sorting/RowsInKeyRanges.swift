import FirnCodec
import FirnEngine
import FirnValues

/// Collects the rows of a scan in ranges of sort keys.
struct RowsInKeyRanges: ScanConsumer {
    private(set) var rows: SortRows
    private let ranges: [KeyRange]
    private let evaluator: ExpressionEvaluator
    private let memory: RowMemory
    private var takenByteCount = 0

    /// - Parameter memory: the memory for the rows. If it is exceeded, rows are missing.
    init(
        _ ranges: [KeyRange], _ rows: SortRows, _ evaluator: ExpressionEvaluator,
        memory: RowMemory
    ) {
        self.ranges = ranges
        self.rows = rows
        self.evaluator = evaluator
        self.memory = memory
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        guard case .run(let run) = batch, !memory.isExceeded,
            let kept = try evaluator.rows(of: run, in: ranges)
        else { return }
        try rows.append(kept.rows, of: run.group, evaluator)
        let needed = rows.byteCount
        _ = memory.take(needed - takenByteCount)
        takenByteCount = needed
    }

    mutating func merge(_ later: RowsInKeyRanges) throws(StoreError) {
        try rows.append(later.rows, path: evaluator.source.path)
    }
}
