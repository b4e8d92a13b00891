import FirnEngine

/// Delivers objects that the caller selected, in a given order: elements of a list, or sources of
/// links.
final class CandidateStream: RowStream {
    private static let batchRowCount = 16_384

    private var rest: ArraySlice<RowReference>

    init(_ rows: [RowReference]) { rest = rows[...] }

    func next() -> RowBatch? {
        guard !rest.isEmpty else { return nil }
        let batch = rest.prefix(CandidateStream.batchRowCount)
        rest = rest.dropFirst(batch.count)
        return .scattered(batch)
    }
}
