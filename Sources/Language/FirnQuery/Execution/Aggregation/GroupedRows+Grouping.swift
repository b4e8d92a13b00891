import FirnEngine
import FirnValues

/// The groups of rows, which are kept on disk if they need more memory than a statement may use.
///
/// If the groups of a stream exceed the memory, those that were found are completed in memory, and the
/// rows of all other keys are divided by these into parts, each of which is grouped in memory.
///
/// If the rows of a scan are clustered by a key, groups leave the table as soon as they are complete.
/// If its groups exceed the memory nevertheless, those that were found are given up, and the rows are
/// read once more and divided. The groups are the same in each case.
extension GroupedRows {
    /// Creates the groups of the rows of a stream.
    ///
    /// - Parameter isLimited: whether the memory of the groups is limited: they are written to disk when it is full.
    convenience init(
        _ stream: any RowStream, keys: [BoundExpression], items: [BoundGroupItem],
        _ evaluator: ExpressionEvaluator, isLimited: Bool
    ) {
        let spilling = isLimited ? SpilledGrouping(keys: keys, items: items, evaluator) : nil
        self.init(path: evaluator.source.path) { () throws(StoreError) in
            var grouping = Grouping(
                keys: keys, items: items, evaluator, memory: spilling?.memory())
            while !grouping.isGivenUp, let batch = try stream.next() { try grouping.add(batch) }
            guard let spilling, grouping.isGivenUp else {
                return .memory(try grouping.columns())
            }
            return .pages(try spilling.rows(of: stream, after: &grouping))
        }
    }

    /// Creates the groups of the rows of a scan on several threads.
    ///
    /// - Parameter scan: returns a scan of the rows, the same ones for each call.
    convenience init(
        keys: [BoundExpression], items: [BoundGroupItem], _ evaluator: ExpressionEvaluator,
        of scan: @escaping () -> PartitionedScan
    ) {
        let spilling = SpilledGrouping(keys: keys, items: items, evaluator)
        self.init(path: evaluator.source.path) { () throws(StoreError) in
            let memory = spilling?.memory()
            let file = evaluator.reader.snapshot.makeSpillFile()
            if let spilling, let memory, let clusters = try spilling.clusters() {
                if let content = try spilling.content(
                    of: scan(), clusters, memory, to: file)
                {
                    return content
                }
            } else {
                let grouping = try scan().consume {
                    Grouping(keys: keys, items: items, $0, memory: memory)
                }
                if !grouping.isGivenUp { return .memory(try grouping.columns()) }
            }
            guard let spilling else { preconditionFailure("only groups with a limit are given up") }
            return .pages(try spilling.rows(of: scan(), in: file))
        }
    }
}
