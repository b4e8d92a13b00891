import FirnCodec
import FirnEngine
import FirnValues

/// The objects of the class of a join, from which its tables are built.
struct JoinTargets {
    let join: BoundJoin
    let classes: OpenedClasses

    init(_ join: BoundJoin, _ classes: OpenedClasses) {
        self.join = join
        self.classes = classes
    }

    /// Visits all objects, a few at a time.
    func visit(
        _ body: (
            _ rows: BatchRows, _ scanner: TableScanner, _ evaluator: ExpressionEvaluator
        ) throws(StoreError) -> Void
    ) throws(StoreError) {
        let scanner = try classes.scanner(of: join.target)
        let evaluator = ExpressionEvaluator(source: scanner, reader: SnapshotReader(classes))
        try scanner.visitRows { rows throws(StoreError) in try body(rows, scanner, evaluator) }
    }
}

extension RowSource {
    /// Visits the rows of some groups, or all rows, a few at a time.
    func visitRows(
        of groups: Range<Int>? = nil, _ body: (BatchRows) throws(StoreError) -> Void
    ) throws(StoreError) {
        let groups = if let groups { groups } else { 0..<(try groupCount()) }
        for group in groups {
            var rows: [UInt32] = []
            if let live = try liveRows(of: group) {
                live.appendRows(to: &rows)
            } else {
                rows = [UInt32](rows: 0..<rowCount(of: group))
            }
            for start in stride(from: 0, to: rows.count, by: ExpressionEvaluator.batchRowCountMax) {
                let end = min(rows.count, start + ExpressionEvaluator.batchRowCountMax)
                try body(.group(group, Array(rows[start..<end])))
            }
        }
    }
}

extension BoundJoin {
    /// Returns the compared values of the rows in which none of them is missing.
    ///
    /// - Parameter keys: ``rowKeys`` or ``targetKeys``.
    /// - Returns: one vector per key, and the rows.
    func keyValues(
        _ keys: [BoundExpression], of rows: BatchRows, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> (vectors: [ColumnVector], rows: BatchRows) {
        var vectors: [ColumnVector] = []
        for (key, kind) in zip(keys, kinds) {
            vectors.append(try evaluator.values(key, of: rows).converted(to: kind))
        }
        guard vectors.contains(where: { !$0.nulls.isEmpty || $0.rowsWithoutNaN != nil }) else {
            return (vectors, rows)
        }
        let known = (0..<rows.count).filter { row in
            vectors.allSatisfy { !$0.isNull(row) && !$0.isNaN(row) }
        }.map { UInt32(truncatingIfNeeded: $0) }
        return (vectors.map { $0.picking(known) }, rows.picking(known))
    }
}
