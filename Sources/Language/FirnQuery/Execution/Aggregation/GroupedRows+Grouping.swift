import FirnEngine
import FirnValues

/// The groups of rows; they are the same whether or not they fit into the memory of a statement;
/// see ``LimitedGrouping``.
///
/// If the rows of a scan are clustered by a key, groups leave the table as soon as they are complete.
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
            guard let spilling else {
                var grouping = Grouping(keys: keys, items: items, evaluator)
                while let batch = try stream.next() { try grouping.add(batch) }
                return .memory(try grouping.columns())
            }
            var grouping = LimitedGrouping(
                keys: keys, items: items, evaluator, memory: spilling.memory(), numbersRows: false,
                to: spilling.file, partCount: try evaluator.source.partCount())
            while let batch = try stream.next() { try grouping.add(batch) }
            try grouping.finish()
            return try spilling.content(ofStream: grouping)
        }
    }

    /// Creates the groups of the rows of a scan on several threads.
    ///
    /// - Parameter scan: the scan, which is not used yet.
    convenience init(
        keys: [BoundExpression], items: [BoundGroupItem], _ evaluator: ExpressionEvaluator,
        of scan: PartitionedScan
    ) {
        let spilling = SpilledGrouping(keys: keys, items: items, evaluator)
        self.init(path: evaluator.source.path) { () throws(StoreError) in
            guard let spilling else {
                let grouping = try scan.consume { Grouping(keys: keys, items: items, $0) }
                return .memory(try grouping.columns())
            }
            let (memory, file) = (spilling.memory(), spilling.file)
            let partCount = try evaluator.source.partCount()
            @Sendable func grouping(_ evaluator: ExpressionEvaluator) -> LimitedGrouping {
                LimitedGrouping(
                    keys: keys, items: items, evaluator, memory: memory, numbersRows: true,
                    to: file, partCount: partCount)
            }
            guard let clusters = try spilling.clusters() else {
                return try spilling.content(ofScan: try scan.consume { grouping($0) })
            }
            let statementByteCount = evaluator.reader.snapshot.statementByteCount
            return try scan.consume {
                ClusteredGrouping(
                    grouping($0), clusters, statementByteCount: statementByteCount, to: file)
            }.content(spilling)
        }
    }
}
