import FirnCodec
import FirnEngine

/// Delivers rows that were found by key or by `@id`, in table order.
final class LookupStream: RowStream {
    private let runs: [RowRun]
    private var position = 0

    /// - Parameter runs: the rows, ascending by group.
    init(_ runs: [RowRun]) { self.runs = runs }

    func next() -> RowBatch? {
        guard position < runs.count else { return nil }
        defer { position += 1 }
        return .run(runs[position])
    }
}
