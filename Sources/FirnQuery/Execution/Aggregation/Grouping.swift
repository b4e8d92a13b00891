import FirnCodec
import FirnEngine
import FirnValues

/// Finds the group of each row by the bytes of its keys, and keeps running values per group.
struct Grouping {
    private let keys: [BoundProjection]
    private let items: [BoundGroupItem]
    private let evaluator: ExpressionEvaluator
    private var fetch: ScatteredFetch
    private var numbers = ByteKeySet()
    /// The key values of each group, one vector per key.
    private var keyValues: [ColumnVector]
    /// One entry per item; `nil` if the item is not an aggregate.
    private var accumulators: [Accumulators?]

    init(keys: [BoundProjection], items: [BoundGroupItem], _ evaluator: ExpressionEvaluator) {
        self.keys = keys
        self.items = items
        self.evaluator = evaluator
        fetch = ScatteredFetch(Self.expressions(keys, items), evaluator)
        keyValues = keys.map { ColumnVector(kind: $0.expression.kind) }
        accumulators = items.map { item in
            guard case .aggregate(let aggregate) = item else { return nil }
            return Accumulators(aggregate, count: 0)
        }
        // Aggregates over no rows have values, too.
        if keys.isEmpty {
            _ = numbers.insert([])
            for index in accumulators.indices { accumulators[index]?.resize(to: 1) }
        }
    }

    /// Returns the key expressions, followed by the operands of the aggregates.
    private static func expressions(
        _ keys: [BoundProjection], _ items: [BoundGroupItem]
    ) -> [BoundExpression] {
        keys.map(\.expression)
            + items.compactMap { item in
                guard case .aggregate(let aggregate) = item else { return nil }
                return aggregate.expression
            }
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        switch batch {
        case .run(let run):
            let rows = run.rows
            var start = 0
            while start < rows.count {
                let end = min(rows.count, start + ExpressionEvaluator.batchRowCountMax)
                let part = BatchRows.group(run.group, Array(rows[start..<end]))
                let vectors = try Self.expressions(keys, items).map {
                    expression throws(StoreError) in try evaluator.values(expression, of: part)
                }
                add(vectors, rowCount: end - start)
                start = end
            }
        case .scattered(var references):
            while !references.isEmpty {
                let fetched = try fetch.fetch(references)
                let count = fetched.indices.count
                add(fetched.ordered(0..<count), rowCount: count)
                references = references.dropFirst(count)
            }
        }
    }

    private mutating func add(_ vectors: [ColumnVector], rowCount: Int) {
        let keyVectors = Array(vectors.prefix(keys.count))
        var owners = [UInt32](repeating: 0, count: rowCount)
        var firsts: [UInt32] = []
        ByteKeys(keyVectors, rowCount: rowCount).visit { row, key in
            let (number, isNew) = numbers.number(of: key)
            owners[row] = UInt32(truncatingIfNeeded: number)
            if isNew { firsts.append(UInt32(truncatingIfNeeded: row)) }
        }
        for index in keyValues.indices {
            keyValues[index].append(keyVectors[index], rows: firsts[...])
        }
        var next = keys.count
        for index in items.indices {
            guard case .aggregate(let aggregate) = items[index] else { continue }
            accumulators[index]?.resize(to: numbers.count)
            if aggregate.expression == nil {
                accumulators[index]?.addCounts(owners)
            } else {
                accumulators[index]?.add(vectors[next], owners: owners)
                next += 1
            }
        }
    }

    /// Returns the items of all groups, ordered by first occurrence.
    ///
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    func columns() throws(StoreError) -> [ColumnVector] {
        var columns: [ColumnVector] = []
        for (item, var accumulators) in zip(items, accumulators) {
            switch item {
            case .key(let number, _): columns.append(keyValues[number])
            case .aggregate(let aggregate):
                accumulators?.finish()
                guard let accumulators else { continue }
                var column = ColumnVector(kind: aggregate.type.columnKind)
                for owner in 0..<numbers.count {
                    guard !accumulators.overflows(owner) else {
                        throw aggregate.overflow(path: evaluator.source.path)
                    }
                    column.append(accumulators.value(owner))
                }
                columns.append(column)
            }
        }
        return columns
    }
}
