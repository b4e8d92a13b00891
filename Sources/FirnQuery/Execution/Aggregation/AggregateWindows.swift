import FirnCodec
import FirnEngine
import FirnValues

/// The aggregates of a stage's rows that belong together: the first of two passes over the rows.
///
/// The second pass gives each row the aggregates of its group, so that no row is kept in memory.
struct AggregateWindows: ScanConsumer {
    /// The aggregates with the same keys.
    private struct Part {
        let keys: [Int]
        let windows: [Int]
        var groups: Grouping
        /// One vector per window, with a value for each group.
        var values: [ColumnVector] = []
    }

    private let columns: [BoundWindowColumn]
    private var parts: [Part] = []

    /// Creates the aggregates of no rows.
    ///
    /// - Parameter columns: columns that do not depend on the order of the rows.
    init(_ columns: [BoundWindowColumn], _ evaluator: ExpressionEvaluator) {
        self.columns = columns
        var keys: [[Int]] = []
        for case .window(let window) in columns where !keys.contains(window.keys) {
            keys.append(window.keys)
        }
        for keys in keys {
            var windows: [Int] = []
            var items: [BoundGroupItem] = []
            for (index, column) in columns.enumerated() {
                guard case .window(let window) = column, window.keys == keys,
                    let aggregate = window.aggregate(of: columns)
                else { continue }
                windows.append(index)
                items.append(.aggregate(aggregate))
            }
            parts.append(
                Part(
                    keys: keys, windows: windows,
                    groups: Grouping(
                        keys: keys.compactMap { columns[$0].projection }, items: items, evaluator)))
        }
    }

    /// Returns whether the aggregates of two parts of the rows determine those of all rows.
    static func canMerge(_ columns: [BoundWindowColumn]) -> Bool {
        columns.allSatisfy { column in
            guard case .window(let window) = column else { return true }
            return window.aggregate(of: columns).map { Accumulators.canMerge($0.function) } ?? false
        }
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        for index in parts.indices { try parts[index].groups.add(batch) }
    }

    mutating func merge(_ later: AggregateWindows) {
        for (index, part) in later.parts.enumerated() { parts[index].groups.merge(part.groups) }
    }

    /// Computes the aggregates, after the last row.
    ///
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    mutating func finish() throws(StoreError) {
        for index in parts.indices { parts[index].values = try parts[index].groups.columns() }
    }

    /// Returns one vector per column with the values of some rows; that of a key is empty.
    func vectors(
        of rows: BatchRows, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> [ColumnVector] {
        var vectors: [ColumnVector] = []
        for column in columns {
            switch column {
            case .input(let input):
                var vector = ColumnVector(of: input.expression.vectorType)
                try evaluator.append(input.expression, of: rows, into: &vector)
                vectors.append(vector)
            case .key(let key): vectors.append(ColumnVector(of: key.expression.vectorType))
            case .window(let window): vectors.append(ColumnVector(kind: window.type.columnKind))
            }
        }
        for part in parts {
            let owners = try part.groups.numbers(of: rows, evaluator)
            for (window, values) in zip(part.windows, part.values) {
                vectors[window] = values.picking(owners)
            }
        }
        return vectors
    }
}
