import FirnCodec
import FirnEngine
import FirnValues

/// A visit of objects in their state before a statement, batch by batch.
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

    /// The number of objects of a batch if their order is arbitrary.
    private static let batchCount = 1_024
    /// The number of objects that are located together if they ascend.
    private static let locatedCount = 65_536

    let rows: FoundRows
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
        let isAscending = rows.isAscending
        let count = isAscending ? Self.locatedCount : Self.batchCount
        var rest = rows.makeIterator()
        var ids: [Int64] = []
        var start = 0
        while start < rows.count {
            ids += rest.next(atMost: count - ids.count)
            let references = try located(ids)
            var parts = isAscending ? Self.groups(references) : [0..<references.count]
            // The last group may continue after the located objects.
            if parts.count > 1, start + ids.count < rows.count { parts.removeLast() }
            for range in parts {
                try report(part * rows.count + start + range.lowerBound, partCount)
                try body(
                    Batch(
                        rows: BatchRows(references[range]), ids: ids[range],
                        isAscending: isAscending,
                        restCount: rows.count - start - range.upperBound))
            }
            let doneCount = parts.last?.upperBound ?? ids.count
            start += doneCount
            ids.removeSubrange(..<doneCount)
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

    private func located(_ found: [Int64]) throws(QueryFailure) -> [RowReference] {
        var ids = ColumnVector(kind: .int)
        ids.ints = found
        ids.count = found.count
        let references = try QueryFailure.converting { () throws(StoreError) in
            try reader.locator(of: mutation.query.classSchema).locate(ids).references
        }
        guard references.count == found.count else {
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
