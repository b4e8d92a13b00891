import FirnEngine

/// Delivers the rows of a scan in ranges of sort keys.
final class KeyRangeStream: RowStream {
    private let stream: ScanStream
    private let ranges: [KeyRange]
    private let evaluator: ExpressionEvaluator

    init(_ stream: ScanStream, _ ranges: [KeyRange], _ evaluator: ExpressionEvaluator) {
        self.stream = stream
        self.ranges = ranges
        self.evaluator = evaluator
    }

    func next() throws(StoreError) -> RowBatch? {
        while let batch = try stream.next() {
            guard case .run(let run) = batch else { return batch }
            if let kept = try evaluator.rows(of: run, in: ranges) { return .run(kept) }
        }
        return nil
    }
}
