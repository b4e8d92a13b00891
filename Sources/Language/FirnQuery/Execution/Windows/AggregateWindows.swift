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
    }

    private let columns: [BoundWindowColumn]
    private let memory: RowMemory
    private var parts: [Part] = []

    /// Creates the aggregates of no rows.
    ///
    /// - Parameters:
    ///   - columns: columns that do not depend on the order of the rows.
    ///   - memory: the memory that the groups may take.
    init(
        _ columns: [BoundWindowColumn], _ evaluator: ExpressionEvaluator, memory: RowMemory
    ) {
        self.columns = columns
        self.memory = memory
        for keys in WindowFunctions.keySets(of: columns) {
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
                        keys: keys.compactMap { columns[$0].projection?.expression },
                        items: items, evaluator, memory: memory)))
        }
    }

    /// Returns whether the aggregates of two parts of the rows determine the aggregates of all
    /// rows.
    static func canMerge(_ columns: [BoundWindowColumn]) -> Bool {
        columns.allSatisfy { column in
            guard case .window(let window) = column else { return true }
            return window.aggregate(of: columns).map { Accumulators.canMerge($0.function) } ?? false
        }
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        for index in parts.indices { try parts[index].groups.add(batch) }
    }

    var isGivenUp: Bool { memory.isExceeded }

    mutating func merge(_ later: AggregateWindows) throws(StoreError) {
        for (index, part) in later.parts.enumerated() {
            try parts[index].groups.merge(part.groups)
        }
    }

    /// Computes the aggregates, after the last row.
    ///
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    func table() throws(StoreError) -> AggregateTable {
        var made: [AggregateTable.Part] = []
        for part in parts {
            made.append(
                AggregateTable.Part(
                    keys: part.keys.compactMap { columns[$0].projection?.expression },
                    keyValues: part.groups.groups.keyValues, windows: part.windows,
                    values: try part.groups.columns()))
        }
        return AggregateTable(columns: columns, parts: made)
    }
}
