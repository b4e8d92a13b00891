import FirnCodec
import FirnEngine
import FirnValues

/// The aggregates of each group of rows, as computed by ``AggregateWindows``.
struct AggregateTable: Sendable {
    /// The aggregates with the same keys.
    struct Part: Sendable {
        let keys: [BoundExpression]
        /// One vector per key, with a value for each group.
        let keyValues: [ColumnVector]
        /// The indices of the columns of the aggregates.
        let windows: [Int]
        /// One vector per aggregate, with a value for each group.
        let values: [ColumnVector]
    }

    let columns: [BoundWindowColumn]
    let parts: [Part]

    /// The largest number of groups with the same keys.
    var groupCount: Int { parts.map { $0.keyValues.first?.count ?? 1 }.max() ?? 0 }
}

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
        if case .compare(.column(let left), let comparison, .column(let right)) = condition,
            case .output(let left, _, _, _) = left, case .output(let right, _, _, _) = right
        {
            var positions: [UInt32] = []
            VectorComparison(vectors[left], comparison, vectors[right]).rows()
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

    /// Returns one vector per column with the values of some rows; that of a key is empty.
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

/// Passes on the rows of a part of a scan that pass a condition with aggregates of all rows.
struct FilteredConsumer<Kept: ScanConsumer>: ScanConsumer {
    private let filter: AggregateFilter
    private(set) var kept: Kept

    init(_ filter: AggregateFilter, _ kept: Kept) {
        self.filter = filter
        self.kept = kept
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        if let passing = try filter.kept(batch) { try kept.add(passing) }
    }

    func reserve(for later: [FilteredConsumer<Kept>]) { kept.reserve(for: later.map(\.kept)) }

    mutating func merge(_ later: FilteredConsumer<Kept>) throws(StoreError) {
        try kept.merge(later.kept)
    }
}
