import FirnCodec
import FirnEngine
import FirnValues

/// The running values of a `group`, or of aggregates over all objects, which are its only group.
///
/// The values that an object had before a commit are read from the old version. Besides its running
/// values, a group therefore only holds the row ids of its objects: at most two bytes for each.
struct LiveGroups {
    private final class Group {
        let keys: [Value]
        var rows = CountedRows()
        /// The first object, which determines the position of the group.
        var first = RowID(.max)
        var aggregates: [LiveAggregate]
        /// Whether an object was removed in the current step.
        var hasLoss = false

        init(_ keys: [Value], _ aggregates: [LiveAggregate]) {
            self.keys = keys
            self.aggregates = aggregates
        }
    }

    private let schema: ClassSchema
    private let keys: [BoundProjection]
    private let items: [BoundGroupItem]
    private let aggregates: [BoundAggregate]
    /// The keys, followed by the operands of the aggregates.
    let expressions: [BoundExpression]
    /// The groups by the bytes of their keys.
    private var groups: [[UInt8]: Group] = [:]
    /// The groups in the order of their first objects.
    private var ordered: [Group] = []
    private var isOrdered = false
    /// The number of times the order of the groups has changed.
    private(set) var orderChangeCount = 0
    /// The groups from which an object was removed in the current step.
    private var losing: [Group] = []
    /// The number of groups that were recomputed.
    private(set) var recomputedCount = 0

    init(_ schema: ClassSchema, keys: [BoundProjection], items: [BoundGroupItem]) {
        self.schema = schema
        self.keys = keys
        self.items = items
        aggregates = items.compactMap { item in
            if case .aggregate(let aggregate) = item { aggregate } else { nil }
        }
        expressions = keys.map(\.expression) + aggregates.compactMap(\.expression)
        // Aggregates over no objects have values, too.
        if keys.isEmpty { groups[[]] = Group([], aggregates.map { LiveAggregate($0) }) }
    }

    // MARK: Changes

    /// Adds the objects of a query.
    mutating func add(_ query: BoundQuery, in snapshot: DatabaseSnapshot) throws(StoreError) {
        let (stream, evaluator) = try Execution(query, on: snapshot.snapshot).stream()
        while let batch = try stream.next() { try change(batch.rows, evaluator, isAdded: true) }
        order()
    }

    /// Moves to another version.
    ///
    /// - Parameter change: the change of the objects, among which those count as modified of which a
    ///   key or an operand may have changed.
    mutating func advance(_ change: LiveChange, _ step: LiveStep) throws(StoreError) {
        let modified = change.modified.map(\.row)
        try self.change(change.deleted.map(\.row) + modified, step.before, isAdded: false)
        try self.change(change.inserted.map(\.row) + modified, step.after, isAdded: true)
        for group in losing {
            group.hasLoss = false
            guard group.aggregates.contains(where: { !$0.isValid }) else { continue }
            try recompute(group, in: step.new)
        }
        losing = []
        order()
    }

    private mutating func order() {
        guard !isOrdered else { return }
        isOrdered = true
        orderChangeCount += 1
        ordered = groups.values.sorted { $0.first < $1.first }
    }

    private mutating func change(
        _ rows: [RowID], _ reader: SnapshotReader, isAdded: Bool
    ) throws(StoreError) {
        guard !rows.isEmpty else { return }
        let objects = try reader.pointReader(of: schema)
        let evaluator = ExpressionEvaluator(source: objects, reader: reader)
        try change(BatchRows(try objects.locate(rows.sorted())), evaluator, isAdded: isAdded)
    }

    /// Adds objects, or removes them.
    private mutating func change(
        _ rows: BatchRows, _ evaluator: ExpressionEvaluator, isAdded: Bool
    ) throws(StoreError) {
        try Self.visit(expressions, rows, evaluator) { ids, vectors throws(StoreError) in
            let keyVectors = Array(vectors.prefix(keys.count))
            let operands = Array(vectors.dropFirst(keys.count))
            ByteKeys(keyVectors, rowCount: ids.count).visit { row, identity in
                let identity = Array(identity)
                let id = RowID(UInt64(bitPattern: ids.ints[row]))
                if isAdded {
                    let group =
                        groups[identity]
                        ?? Group(
                            keyVectors.map { $0.value(at: row) },
                            aggregates.map { LiveAggregate($0) })
                    groups[identity] = group
                    insert(id, into: group)
                    add(operands, row, to: group)
                } else if let group = groups[identity] {
                    remove(id, from: group)
                    remove(operands, row, from: group)
                    if group.rows.count == 0, !keys.isEmpty { groups[identity] = nil }
                }
            }
            guard groups.count <= ValueTable.rowCountMax else {
                throw ValueTable.excess(path: evaluator.source.path)
            }
        }
    }

    private mutating func insert(_ id: RowID, into group: Group) {
        _ = group.rows.insert(id)
        guard id < group.first else { return }
        group.first = id
        isOrdered = false
    }

    private mutating func remove(_ id: RowID, from group: Group) {
        _ = group.rows.remove(id)
        guard id == group.first else { return }
        group.first = group.rows.rows(0..<min(1, group.rows.count)).first ?? RowID(.max)
        isOrdered = false
    }

    private func add(_ operands: [ColumnVector], _ row: Int, to group: Group) {
        var next = 0
        for index in aggregates.indices {
            guard aggregates[index].expression != nil else {
                group.aggregates[index].addRow()
                continue
            }
            group.aggregates[index].add(operands[next], row)
            next += 1
        }
    }

    private mutating func remove(_ operands: [ColumnVector], _ row: Int, from group: Group) {
        var next = 0
        for index in aggregates.indices {
            guard aggregates[index].expression != nil else {
                group.aggregates[index].removeRow()
                continue
            }
            group.aggregates[index].remove(operands[next], row)
            next += 1
        }
        if !group.hasLoss { losing.append(group) }
        group.hasLoss = true
    }

    /// Recomputes the values of a group from its objects.
    private mutating func recompute(
        _ group: Group, in snapshot: DatabaseSnapshot
    ) throws(StoreError) {
        recomputedCount += 1
        group.aggregates = aggregates.map { LiveAggregate($0) }
        let all = BoundQuery(classSchema: schema, stages: [], explain: false, text: schema.name)
        let rows = group.rows.rows(0..<group.rows.count)
        let (stream, evaluator) = try Execution(all, on: snapshot.snapshot, among: rows).stream()
        let operands = Array(expressions.dropFirst(keys.count))
        while let batch = try stream.next() {
            try Self.visit(operands, batch.rows, evaluator) { ids, vectors in
                for row in 0..<ids.count { add(vectors, row, to: group) }
            }
        }
    }

    /// Calls `body` with the row ids and the values of a few rows at a time.
    private static func visit(
        _ expressions: [BoundExpression], _ rows: BatchRows, _ evaluator: ExpressionEvaluator,
        _ body: (_ ids: ColumnVector, _ vectors: [ColumnVector]) throws(StoreError) -> Void
    ) throws(StoreError) {
        var start = 0
        while start < rows.count {
            let end = min(rows.count, start + ExpressionEvaluator.batchRowCountMax)
            let part = rows.part(start..<end)
            let vectors = try expressions.map { expression throws(StoreError) in
                try evaluator.values(expression, of: part)
            }
            try body(try evaluator.source.rowIDs(of: part), vectors)
            start = end
        }
    }

    // MARK: Values

    /// Returns the items of all groups, ordered by their first objects as `group` orders them.
    ///
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    func columns(path: String) throws(StoreError) -> [ColumnVector] {
        var columns: [ColumnVector] = []
        var next = 0
        for item in items {
            switch item {
            case .key(let number, _):
                var column = ColumnVector(kind: keys[number].expression.kind)
                for group in ordered { column.append(group.keys[number]) }
                columns.append(column)
            case .aggregate(let aggregate):
                var column = ColumnVector(kind: aggregate.type.columnKind)
                for group in ordered {
                    guard let value = group.aggregates[next].value else {
                        throw aggregate.overflow(path: path)
                    }
                    column.append(value)
                }
                columns.append(column)
                next += 1
            }
        }
        return columns
    }
}
