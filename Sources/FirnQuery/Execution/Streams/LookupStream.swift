import FirnCodec
import FirnEngine

/// Rows that were found by key or by `@id`, in the order of the table.
final class LookupStream: RowStream {
    private let runs: [RowRun]
    private var position = 0

    /// - Parameter runs: ascending by group.
    init(_ runs: [RowRun]) { self.runs = runs }

    func next() -> RowBatch? {
        guard position < runs.count else { return nil }
        defer { position += 1 }
        return .run(runs[position])
    }
}
