import FirnCodec
import FirnEngine
import FirnValues

/// Rows that are sorted in parts on disk, because all of them would not fit into memory.
struct SpilledSort {
    /// The memory of the rows of a run, which fit into the caches of a processor.
    ///
    /// Runs of 100 MB, whose rows are mostly not in a cache, take more than twice as long.
    static let runByteCount = 8 << 20
    /// The number of rows that are written together; their keys fit into the cache of a core.
    private static let batchRowCount = 8_192
    /// The number of rows that are delivered together, so that each page is decoded for many rows.
    private static let deliveredRowCount = ScatteredFetch.rowCountMax

    private let runs: SortedRuns
    private var keys = SortKeyBytes()

    init(of snapshot: Snapshot) throws(StoreError) { runs = try snapshot.makeSortedRuns() }

    /// Writes rows as the next run.
    mutating func add(_ rows: SortRows, path: String) throws(StoreError) {
        let order = try rows.order(path: path)
        let areExact = rows.columns.allSatisfy { $0.areExact }
        for start in stride(from: 0, to: order.count, by: Self.batchRowCount) {
            let part = order[start..<min(order.count, start + Self.batchRowCount)]
            let values = rows.references.withUnsafeBufferPointer { references in
                part.map { references[Int($0)].packed }
            }
            if areExact {
                try runs.append(
                    keys: SortKeyBytes.codes(of: part, rows),
                    keyByteCount: SortKeyBytes.codeByteCount * rows.columns.count, values: values)
            } else {
                keys.set(part, of: rows)
                try runs.append(keys: keys.bytes, ends: keys.ends, values: values)
            }
        }
        try runs.endRun()
    }

    /// Appends rows that come after the rows of this instance in the order of the table.
    func append(_ later: SpilledSort) { runs.append(later.runs) }

    /// Returns the next rows of all runs in order; empty after the last.
    mutating func next() throws(StoreError) -> [RowReference] {
        try runs.next(atMost: Self.deliveredRowCount).map { RowReference(packed: $0) }
    }
}
