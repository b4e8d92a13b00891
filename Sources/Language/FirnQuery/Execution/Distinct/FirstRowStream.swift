import FirnCodec
import FirnEngine
import FirnValues

/// Delivers the first row of each combination of values of a scan, in the order of the table.
///
/// Several threads find them.
final class FirstRowStream: RowStream {
    private let keys: [BoundExpression]
    private let evaluator: ExpressionEvaluator
    private let scan: PartitionedScan
    /// `nil` before the search.
    private var marks: RowMarks?
    /// The row group that is read next.
    private var position = 0

    /// - Parameters:
    ///   - keys: the values, which can be kept on disk.
    ///   - scan: the scan of the rows, which is not used yet.
    init(
        of keys: [BoundExpression], _ evaluator: ExpressionEvaluator,
        _ scan: PartitionedScan
    ) {
        self.keys = keys
        self.evaluator = evaluator
        self.scan = scan
    }

    /// Returns the next rows of one row group.
    func next() throws(StoreError) -> RowBatch? {
        let found = if let marks { marks } else { try search() }
        marks = found
        while position < found.groupCount {
            defer { position += 1 }
            if let run = found.run(of: position) { return .run(run) }
        }
        return nil
    }

    private func search() throws(StoreError) -> RowMarks {
        let snapshot = evaluator.reader.snapshot
        let memory = RowMemory(of: snapshot.statementByteCount)
        let clusters = try evaluator.source.scanner.flatMap { scanner throws(StoreError) in
            try KeyClusters(keys, scanner)
        }
        let (file, partCount) = (snapshot.makeSpillFile(), try evaluator.source.partCount())
        return try scan.consumeInAnyOrder { [keys] in
            FirstRowSearch(keys, clusters, $0, memory: memory, to: file, partCount: partCount)
        }.found()
    }
}
