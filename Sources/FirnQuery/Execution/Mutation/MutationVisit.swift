import FirnCodec
import FirnEngine
import FirnValues

/// A visit of objects as they were before a statement, batch by batch.
///
/// If the objects ascend, a batch has the objects of one row group, so that the group changes in
/// one step.
struct MutationVisit {
    struct Batch {
        let rows: BatchRows
        /// The identities of the objects.
        let ids: ArraySlice<Int64>
        /// Whether the identities of all batches ascend.
        let isAscending: Bool
        /// The number of objects after this batch.
        let restCount: Int
    }

    /// The number of objects of a batch if they are in any order.
    private static let batchCount = 1_024
    /// The number of objects that are located together if they ascend.
    private static let locatedCount = 65_536

    let rows: [Int64]
    let reader: SnapshotReader
    let mutation: BoundMutation
    /// Returns whether to continue; called before each batch.
    let progress: (QueryProgress) -> Bool

    /// Visits all objects.
    ///
    /// - Parameters:
    ///   - part: the index of this pass over the objects.
    ///   - partCount: the number of passes.
    func run(
        part: Int, of partCount: Int, _ body: (Batch) throws(QueryFailure) -> Void
    ) throws(QueryFailure) {
        let isAscending = zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 }
        let count = isAscending ? Self.locatedCount : Self.batchCount
        var start = 0
        while start < rows.count {
            let end = min(rows.count, start + count)
            let references = try located(start..<end)
            var parts = isAscending ? Self.groups(references) : [0..<references.count]
            // The last group may continue after the located objects.
            if parts.count > 1, end < rows.count { parts.removeLast() }
            for range in parts {
                try report(part * rows.count + start + range.lowerBound, partCount)
                let last = start + range.upperBound
                try body(
                    Batch(
                        rows: BatchRows(references[range]),
                        ids: rows[start + range.lowerBound..<last], isAscending: isAscending,
                        restCount: rows.count - last))
            }
            start += parts.last?.upperBound ?? references.count
        }
    }

    private func report(_ done: Int, _ partCount: Int) throws(QueryFailure) {
        let state = QueryProgress(
            step: .changing, doneRowCount: UInt64(clamping: done / partCount),
            totalRowCount: UInt64(clamping: rows.count))
        guard progress(state) else {
            throw .store(
                StoreError(.cancelled, path: reader.path, detail: "the statement was given up"))
        }
    }

    private func located(_ range: Range<Int>) throws(QueryFailure) -> [RowReference] {
        var ids = ColumnVector(kind: .int)
        ids.ints = Array(rows[range])
        ids.count = range.count
        let references = try QueryFailure.converting { () throws(StoreError) in
            try reader.locator(of: mutation.query.classSchema).locate(ids).references
        }
        guard references.count == range.count else {
            throw .store(
                StoreError(
                    .internalError, path: reader.path,
                    detail: "internal error: an object that a query found does not exist"))
        }
        return references
    }

    /// Returns the ranges of consecutive references to the same row group.
    private static func groups(_ references: [RowReference]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for index in references.indices where references[index].group != references[start].group {
            ranges.append(start..<index)
            start = index
        }
        ranges.append(start..<references.count)
        return ranges
    }
}
