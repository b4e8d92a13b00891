import FirnCodec
import FirnEngine
import FirnValues

/// The lookups of one thread in an index of the joined class.
///
/// Each row costs a lookup in a tree, so that a table of all objects is made as soon as the rows are
/// many:
///
///     rows so far    lookups
///     few            in the index
///     more           in the table, which other threads may have made
final class IndexJoin: JoinLookup {
    /// The number of rows up to which an index is always used.
    private static let rowCountMin = 16
    /// The objects of which a table is made in the time of a row that is looked up.
    private static let objectsPerRow = 64

    private let join: BoundJoin
    private let joins: SharedJoins
    let objects: ValueLookup
    private let types: [PropertyType]
    /// The number of rows up to which the index is used.
    let rowCountMax: Int
    private var soughtCount = 0
    private var table: (any JoinLookup)?

    /// - Returns: `nil` if neither the key nor an index has the values that are compared.
    init?(
        _ join: BoundJoin, _ classes: OpenedClasses, _ joins: SharedJoins
    ) throws(StoreError) {
        var properties: [PropertySchema] = []
        for (left, right) in zip(join.rowKeys, join.targetKeys) {
            guard case .column(.property(let property)) = right,
                property.type.container == .single, property.type.base == left.type.base,
                ![.link, .any].contains(property.type.base)
            else { return nil }
            properties.append(property)
        }
        let target = try classes.table(join.target)
        guard let objects = try ValueLookup(target, on: properties.map(\.id)) else { return nil }
        self.join = join
        self.joins = joins
        self.objects = objects
        types = properties.map(\.type)
        rowCountMax = max(Self.rowCountMin, target.liveRowCount / Self.objectsPerRow)
    }

    /// Returns the lookups in a table of all objects, if these and the former rows are many.
    private func table(
        for rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> (any JoinLookup)? {
        guard table == nil, soughtCount + rows.count > rowCountMax else { return table }
        table = try joins.wholeLookup(join, classes)
        return table
    }

    /// Visits the objects of each row that has some.
    private func visit(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses,
        _ body: (_ owner: Int, _ rows: [RowID]) throws(StoreError) -> Void
    ) throws(StoreError) {
        soughtCount += rows.count
        let evaluator = ExpressionEvaluator(source: source, reader: SnapshotReader(classes))
        let vectors = try zip(join.rowKeys, join.kinds).map { key, kind throws(StoreError) in
            try evaluator.values(key, of: rows).converted(to: kind)
        }
        for row in 0..<rows.count
        where vectors.allSatisfy({ !$0.isNull(row) && !$0.isNaN(row) }) {
            let values = zip(vectors, types).map { $1.fromColumn($0.value(at: row)) }
            let found = try objects.rows(with: values, isFirstEnough: !join.findsAll)
            if !found.isEmpty { try body(row, join.findsAll ? found : [found[0]]) }
        }
    }

    func visitTargets(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses,
        _ body: PathEvaluator.Chunk
    ) throws(StoreError) {
        if let table = try table(for: rows, classes) {
            return try table.visitTargets(source, rows, classes, body)
        }
        var chunk = JoinedChunk(
            capacity: join.findsAll ? PathEvaluator.chunkCountMax : rows.count)
        try visit(source, rows, classes) { owner, found throws(StoreError) in
            for row in found {
                chunk.add(
                    Int64(bitPattern: row.rawValue), UInt32(truncatingIfNeeded: owner))
                if join.findsAll, chunk.isFull { try chunk.deliver(to: body) }
            }
        }
        try chunk.deliver(to: body)
    }

    func counts(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> [UInt32] {
        if let table = try table(for: rows, classes) {
            return try table.counts(source, rows, classes)
        }
        var counts = [UInt32](repeating: 0, count: rows.count)
        try visit(source, rows, classes) { owner, found in
            counts[owner] = UInt32(truncatingIfNeeded: found.count)
        }
        return counts
    }

    func aggregates(
        _ aggregate: JoinedAggregate, _ source: any RowSource, _ rows: BatchRows,
        _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector? {
        try table(for: rows, classes)?.aggregates(aggregate, source, rows, classes)
    }

    func values(
        _ column: BoundColumn, _ source: any RowSource, _ rows: BatchRows,
        _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector? {
        try table(for: rows, classes)?.values(column, source, rows, classes)
    }
}
