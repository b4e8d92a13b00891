import FirnCodec
import FirnEngine
import FirnPlatform
import FirnValues

extension SortRows {
    /// Returns the indices of the rows in order.
    ///
    /// - Parameter reader: the reader of the calling thread, if other threads may help.
    /// - Throws: `cancelled` if the query was cancelled.
    func order(path: String, on reader: SnapshotReader? = nil) throws(StoreError) -> [UInt32] {
        // Rows that another thread has read have no progress, and know only its caller.
        let progress = reader?.sortProgress ?? progress
        let isStopped = reader?.isStopped ?? isStopped
        progress?.begin(rowCount: count)
        defer { progress?.end() }
        return try withView { view throws(StoreError) in
            let threadCount = ParallelSort.threadCount(for: count)
            if let reader, threadCount > 1 {
                return try ParallelSort(view, progress, reader, threadCount: threadCount)
                    .order()
            }
            var entries = view.references.indices.map {
                SortEntry(code: 0, index: UInt32(truncatingIfNeeded: $0))
            }
            let isCancelled = entries.withUnsafeMutableBufferPointer { entries in
                var sort = RangeSort(view, entries, CancellationCheck(progress, isStopped))
                sort.sort(entries.indices, from: SortLevel())
                return sort.isCancelled
            }
            guard !isCancelled else { throw .sortCancelled(path: path) }
            return entries.map(\.index)
        }
    }
}

extension StoreError {
    static func sortCancelled(path: String) -> StoreError {
        StoreError(.cancelled, path: path, detail: "the query was given up")
    }
}
