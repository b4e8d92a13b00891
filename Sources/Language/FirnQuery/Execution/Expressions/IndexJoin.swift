import FirnCodec
import FirnEngine
import FirnValues

/// The lookups of one thread in an index of the joined class.
///
/// Each row costs a lookup in a tree, so that a table of all objects is made as soon as the rows are
/// many:
///
///     rows and entries so far    lookups
///     few                        in the index
///     more                       in the table, which other threads may have made
final class IndexJoin: JoinLookup {
    /// The number of rows up to which an index is always used.
    private static let rowCountMin = 16
    /// The number of objects from which a table is built in the time of one row lookup.
    private static let objectsPerRow = 64

    /// The number of entries up to which an index is always used.
    private static let entryCountMin = 1_024
    /// The number of objects from which a table is built in the time of reading one entry.
    private static let objectsPerEntry = 16

    private let join: BoundJoin
    private let joins: SharedJoins
    let objects: ValueLookup
    private let types: [PropertyType]
    /// The number of rows up to which the index is used.
    let rowCountMax: Int
    /// The number of entries up to which the index is used.
    private let entryCountMax: Int
    private var soughtCount = 0
    private var entryCount = 0
    private var table: (any JoinLookup)?

    /// - Returns: `nil` if neither the key nor an index has the compared values.
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
        entryCountMax = max(Self.entryCountMin, target.liveRowCount / Self.objectsPerEntry)
    }

    /// Returns the values of the rows to look up, with `nil` for rows that lead to no object; if
    /// there are now too many rows or objects, builds a table of all objects and returns `nil`.
    private func values(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> [[Value]?]? {
        guard table == nil else { return nil }
        var found: [[Value]?]?
        if soughtCount + rows.count <= rowCountMax {
            found = try sought(source, rows, classes)
        }
        if found == nil { table = try joins.wholeLookup(join, classes) }
        return found
    }

    private func sought(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> [[Value]?]? {
        let reader = SnapshotReader(classes)
        let evaluator = ExpressionEvaluator(source: source, reader: reader)
        let vectors = try zip(join.rowKeys, join.kinds).map { key, kind throws(StoreError) in
            try evaluator.values(key, of: rows).converted(to: kind)
        }
        var found: [[Value]?] = []
        for row in 0..<rows.count {
            try reader.checkStopped()
            guard vectors.allSatisfy({ !$0.isNull(row) && !$0.isNaN(row) }) else {
                found.append(nil)
                continue
            }
            let values = zip(vectors, types).map { $1.fromColumn($0.value(at: row)) }
            found.append(values)
            entryCount += try objects.entryCount(with: values)
            // Values that many objects share are read faster from a table.
            guard entryCount <= entryCountMax else { return nil }
        }
        soughtCount += rows.count
        return found
    }

    /// Visits the objects of each row that has any.
    private func visit(
        _ values: [[Value]?], _ classes: OpenedClasses,
        _ body: (_ owner: Int, _ rows: [RowID]) throws(StoreError) -> Void
    ) throws(StoreError) {
        let reader = SnapshotReader(classes)
        for (row, values) in values.enumerated() {
            guard let values else { continue }
            try reader.checkStopped()
            let found = try objects.rows(with: values, limit: join.findsAll ? nil : 1)
            if !found.isEmpty { try body(row, join.findsAll ? found : [found[0]]) }
        }
    }

    func visitTargets(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses,
        _ body: PathEvaluator.Chunk
    ) throws(StoreError) {
        guard let values = try values(source, rows, classes) else {
            return try table?.visitTargets(source, rows, classes, body) ?? ()
        }
        var chunk = JoinedChunk(
            capacity: join.findsAll ? PathEvaluator.chunkCountMax : rows.count)
        try visit(values, classes) { owner, found throws(StoreError) in
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
        guard let values = try values(source, rows, classes) else {
            return try table?.counts(source, rows, classes) ?? []
        }
        var counts = [UInt32](repeating: 0, count: rows.count)
        try visit(values, classes) { owner, found in
            counts[owner] = UInt32(truncatingIfNeeded: found.count)
        }
        return counts
    }

    func aggregates(
        _ aggregate: JoinedAggregate, _ source: any RowSource, _ rows: BatchRows,
        _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector? {
        try manyLookup(source, rows, classes)?.aggregates(aggregate, source, rows, classes)
    }

    func values(
        _ column: BoundColumn, _ source: any RowSource, _ rows: BatchRows,
        _ classes: OpenedClasses
    ) throws(StoreError) -> ColumnVector? {
        try manyLookup(source, rows, classes)?.values(column, source, rows, classes)
    }

    /// Returns the lookups in a table of all objects; `nil` while the index is used.
    ///
    /// The rows are not counted, because their objects are visited after this.
    private func manyLookup(
        _ source: any RowSource, _ rows: BatchRows, _ classes: OpenedClasses
    ) throws(StoreError) -> (any JoinLookup)? {
        let counts = (sought: soughtCount, entries: entryCount)
        _ = try values(source, rows, classes)
        (soughtCount, entryCount) = counts
        return table
    }
}
