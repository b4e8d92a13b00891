import FirnCodec
import FirnEngine
import FirnValues

/// A condition on the values of rows and the aggregates of their groups, evaluated by one thread.
struct AggregateFilter {
    private let table: AggregateTable
    private let condition: BoundPredicate
    private let evaluator: ExpressionEvaluator
    /// Finds the groups of each part; `nil` if the part has only one.
    private let readers: [KeyReaders?]

    init(_ table: AggregateTable, _ condition: BoundPredicate, _ evaluator: ExpressionEvaluator) {
        self.table = table
        self.condition = condition
        self.evaluator = evaluator
        readers = table.parts.map { part in
            guard !part.keys.isEmpty else { return nil }
            let numbers = part.keyValues.map { ValueNumbers(kind: $0.kind) }
            let combinations = CombinationNumbers(numbers.count)
            // The groups get their numbers again, because they are in the order of their numbers.
            _ = combinations.numbers(
                zip(numbers, part.keyValues).map { $0.numbers(of: $1, adding: true) },
                adding: true)
            return KeyReaders(part.keys, numbers, combinations, adding: false)
        }
    }

    /// Returns the rows of a batch that pass; `nil` if there are none.
    func kept(_ batch: RowBatch) throws(StoreError) -> RowBatch? {
        switch batch {
        case .run(let run):
            let rows = run.rows
            var kept: [UInt32] = []
            var start = 0
            while start < rows.count {
                let end = min(rows.count, start + ExpressionEvaluator.batchRowCountMax)
                let part = Array(rows[start..<end])
                kept += try passing(.group(run.group, part)).map { part[Int($0)] }
                start = end
            }
            return kept.isEmpty ? nil : .run(RowRun(group: run.group, selection: .listed(kept)))
        case .scattered(let references):
            let start = references.startIndex
            let kept = try passing(BatchRows(references)).map { references[start + Int($0)] }
            return kept.isEmpty ? nil : .scattered(kept[...])
        }
    }

    /// Returns the positions of the rows that pass.
    private func passing(_ rows: BatchRows) throws(StoreError) -> [UInt32] {
        let vectors = try vectors(of: rows)
        if case .comparison(let comparison) = condition,
            let (left, operation, right) = comparison.columns,
            case .output(let left, _, _, _) = left, case .output(let right, _, _, _) = right
        {
            var positions: [UInt32] = []
            VectorComparison(vectors[left], operation, vectors[right]).rows()
                .appendRows(to: &positions)
            return positions
        }
        let values = GroupedRows(path: evaluator.source.path) { vectors }
        let kept = ScanStream(PredicateEvaluator(condition, values, evaluator.reader))
        var positions: [UInt32] = []
        while case .run(let run)? = try kept.next() {
            let first = UInt32(truncatingIfNeeded: run.group * GroupedRows.rowsPerPage)
            positions += run.rows.map { first + $0 }
        }
        return positions
    }

    /// Returns one vector per column with the values of some rows; the vector of a key is empty.
    private func vectors(of rows: BatchRows) throws(StoreError) -> [ColumnVector] {
        var vectors: [ColumnVector] = []
        for column in table.columns {
            switch column {
            case .input(let input):
                var vector = ColumnVector(of: input.expression.vectorType)
                try evaluator.append(input.expression, of: rows, into: &vector)
                vectors.append(vector)
            case .key(let key): vectors.append(ColumnVector(of: key.expression.vectorType))
            case .window(let window): vectors.append(ColumnVector(kind: window.type.columnKind))
            }
        }
        for (part, reader) in zip(table.parts, readers) {
            let owners =
                try reader?.numbers(of: rows, evaluator)
                ?? [UInt32](repeating: 0, count: rows.count)
            for (window, values) in zip(part.windows, part.values) {
                vectors[window] = values.picking(owners)
            }
        }
        return vectors
    }
}
