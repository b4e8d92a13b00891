import FirnCodec
import FirnEngine
import FirnValues

/// Rows that are sorted in parts on disk, because all of them would not fit into memory.
struct SpilledSort {
    private static let batchRowCount = 16_384

    private let runs: SortedRuns
    private var key = SortKeyBytes()

    init(of snapshot: Snapshot) throws(StoreError) { runs = try SortedRuns(of: snapshot) }

    /// Writes rows as the next run.
    mutating func add(_ rows: SortRows, path: String) throws(StoreError) {
        for index in try rows.order(path: path) {
            key.set(Int(index), of: rows)
            let reference = rows.references[Int(index)]
            let value = UInt64(reference.group) << 32 | UInt64(reference.row)
            try runs.append(key: key.bytes, value: value)
        }
        try runs.endRun()
    }

    /// Returns the next rows of all runs in order; empty after the last.
    mutating func next() throws(StoreError) -> [RowReference] {
        var references: [RowReference] = []
        references.reserveCapacity(Self.batchRowCount)
        while references.count < Self.batchRowCount, let value = try runs.next() {
            references.append(
                RowReference(
                    group: UInt32(truncatingIfNeeded: value >> 32),
                    row: UInt32(truncatingIfNeeded: value)))
        }
        return references
    }
}
