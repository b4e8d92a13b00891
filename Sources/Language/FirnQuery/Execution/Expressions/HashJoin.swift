import FirnCodec
import FirnEngine
import FirnValues

/// The lookups of one thread in the hash table of a join.
///
/// It refers to neither the classes nor their reader, which own it.
final class HashJoin: JoinLookup {
    /// The number of objects up to which their values are always kept.
    private static let keptCountMin = 65_536

    private let table: JoinTable
    private let joins: SharedJoins
    /// The numbers of the values of rows.
    private let rowKeys: KeyReaders
    /// The number of rows whose objects were looked up.
    private var soughtCount = 0
    /// The lookups on disk, if there are too many objects.
    private var onDisk: SpilledJoinLookup?

    init(_ table: JoinTable, _ joins: SharedJoins) {
        self.table = table
        self.joins = joins
        rowKeys = table.rowKeys()
    }

    /// Returns the number of each row's combination of values, or none.
    private func numbers(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> [UInt32] {
        soughtCount += rows.count
        return try rowKeys.numbers(
            of: rows, ExpressionEvaluator(source: source, reader: SnapshotReader(classes)))
    }

    func visitTargets(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses,
        _ body: PathEvaluator.Chunk
    ) throws(StoreError) {
        if let objects = try table.objects(classes) {
            return try objects.visitAll(of: try numbers(source, rows, classes), body)
        }
        try lookupOnDisk(classes).visitTargets(source, rows, classes, body)
    }

    func aggregates(
        _ aggregate: JoinedAggregate, _ source: any RowSource, _ rows: BatchRows,
        _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector? {
        guard let values = try table.aggregates(aggregate, classes) else { return nil }
        // The last value is that of no objects.
        let none = UInt32(truncatingIfNeeded: values.count - 1)
        return values.picking(
            try numbers(source, rows, classes).map { $0 == ValueNumbers.none ? none : $0 })
    }

    private func lookupOnDisk(_ classes: OpenedClasses) throws(StoreError) -> SpilledJoinLookup {
        if let onDisk { return onDisk }
        let made = SpilledJoinLookup(try joins.spilled(table.join, classes))
        onDisk = made
        return made
    }

    func counts(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> [UInt32] {
        table.counts(of: try numbers(source, rows, classes))
    }

    func values(
        _ column: BoundColumn, _ source: any RowSource, _ rows: BatchRows,
        _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector? {
        guard !table.join.findsAll, let objects = try table.objects(classes),
            objects.count <= max(Self.keptCountMin, soughtCount),
            let values = try table.values(column, classes)
        else { return nil }
        // The last value is null.
        return values.picking(objects.firsts(of: try numbers(source, rows, classes)))
    }
}
