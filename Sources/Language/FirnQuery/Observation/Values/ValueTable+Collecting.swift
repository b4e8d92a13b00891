import FirnCodec
import FirnEngine
import FirnValues

/// Collects the rows of a query.
extension ValueTable {
    /// The maximum number of rows.
    ///
    /// After each change, rows are compared by their keys, which takes time for all of them.
    package static let rowCountMax = 10_000

    /// Collects the rows that a stream delivers to the output of a query.
    ///
    /// - Parameters:
    ///   - evaluator: computes the values of the stream's rows.
    /// - Throws: ``StoreError`` with `limitExceeded` if there are too many rows, or if a sum of
    ///   integers leaves the 64-bit range.
    init(
        _ plan: LiveValuesPlan, _ stream: any RowStream, _ evaluator: ExpressionEvaluator,
        _ schema: Schema
    ) throws(StoreError) {
        switch plan.output {
        case .columns(let projections), .pivot(_, let projections), .chart(_, let projections):
            let all = projections + plan.keys
            var vectors = all.map { ColumnVector(of: $0.expression.vectorType) }
            var count = 0
            while let batch = try stream.next() {
                count += batch.count
                guard count <= ValueTable.rowCountMax else {
                    throw ValueTable.excess(path: evaluator.source.path)
                }
                for (index, projection) in all.enumerated() {
                    try evaluator.append(
                        projection.expression, of: batch.rows, into: &vectors[index])
                }
            }
            self.init(
                columns: projections.map { ResultColumn($0, schema) },
                keys: plan.keys.map { ResultColumn($0, schema) }, vectors, rowCount: count)
        case .aggregates(let aggregates):
            var aggregation = Aggregation(aggregates, evaluator)
            while let batch = try stream.next() { try aggregation.add(batch) }
            self.init(aggregates, try aggregation.values(), schema)
        case .count:
            var count = 0
            while let batch = try stream.next() { count += batch.count }
            self.init(count: count)
        case .exists: self.init(exists: try stream.next() != nil)
        }
    }

    /// Creates the table of a query that ends with `count`.
    init(count: Int) {
        self.init(
            ResultColumn(name: "count", type: PropertyType(.int), display: nil), .int(Int64(count)))
    }

    /// Creates the table of a query that ends with `exists`.
    init(exists: Bool) {
        self.init(
            ResultColumn(name: "exists", type: PropertyType(.bool), display: nil), .bool(exists))
    }

    /// Creates the table of group items that are delivered as they are.
    ///
    /// - Parameter identities: the keys of each group as bytes, if they are known.
    /// - Returns: `nil` if the items are computed with.
    init?(
        _ items: [ColumnVector], _ plan: LiveValuesPlan, _ schema: Schema,
        identities: [[UInt8]]? = nil
    ) {
        switch plan.output {
        case .aggregates(let aggregates) where !plan.isGrouped:
            self.init(aggregates, items.map { $0.value(at: 0) }, schema)
        case .columns(let projections) where plan.steps.isEmpty:
            let indices = (projections + plan.keys).compactMap { projection -> Int? in
                guard case .column(.output(let index, _, _, _)) = projection.expression else {
                    return nil
                }
                return index
            }
            guard indices.count == projections.count + plan.keys.count else { return nil }
            self.init(
                columns: projections.map { ResultColumn($0, schema) },
                keys: plan.keys.map { ResultColumn($0, schema) }, indices.map { items[$0] },
                rowCount: items.first?.count ?? 0, identities: identities)
        default: return nil
        }
    }

    private init(_ column: ResultColumn, _ value: Value) {
        var vector = ColumnVector(kind: column.type.columnKind)
        vector.append(value)
        self.init(columns: [column], keys: [], [vector], rowCount: 1)
    }

    /// Creates the table of aggregates over all rows.
    init(_ aggregates: [BoundAggregate], _ values: [Value], _ schema: Schema) {
        let vectors = zip(aggregates, values).map { aggregate, value in
            var vector = ColumnVector(kind: aggregate.type.columnKind)
            vector.append(value)
            return vector
        }
        self.init(
            columns: aggregates.map { ResultColumn($0.name, $0.type, $0.display, schema) },
            keys: [],
            vectors, rowCount: 1)
    }

    /// Returns the error for a result with too many rows.
    static func excess(path: String) -> StoreError {
        StoreError(
            .limitExceeded, path: path,
            detail:
                "the result has more than \(rowCountMax) groups, which is the limit for observing",
            remedy:
                "restrict the objects with a condition, or group them by a value with fewer groups")
    }
}

extension ResultColumn {
    init(_ projection: BoundProjection, _ schema: Schema) {
        self.init(projection.name, projection.type, projection.display, schema)
    }

    fileprivate init(
        _ name: String, _ type: PropertyType, _ display: DisplayForm?, _ schema: Schema
    ) {
        self.init(
            name: name, type: type, display: display, target: type.target.flatMap { schema[$0] })
    }
}
