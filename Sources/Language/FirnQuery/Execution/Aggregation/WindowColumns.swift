import FirnCodec
import FirnEngine
import FirnValues

/// Computes columns of rows that depend on other rows, from all rows of a stream in their order.
struct WindowColumns {
    /// The windows with the same keys.
    private struct Part {
        let keys: [Int]
        let readers: KeyReaders
        var functions: WindowFunctions
        /// The number of each row's keys, if an aggregate of all rows needs them.
        var owners: [UInt32] = []
        /// The number of keys that the last rows have added.
        var addedCount = 0

        /// The memory that the part takes when further rows add twice as many keys as the last ones.
        var byteCount: Int {
            readers.byteCount(afterAdding: 2 * addedCount) + functions.byteCount
                + owners.count * MemoryLayout<UInt32>.size
        }
    }

    private let columns: [BoundWindowColumn]
    private let evaluator: ExpressionEvaluator
    private let keepsRows: Bool

    /// - Parameter keepsRows: whether a last column has the numbers of the rows.
    init(
        _ columns: [BoundWindowColumn], _ evaluator: ExpressionEvaluator, keepsRows: Bool = false
    ) {
        self.columns = columns
        self.evaluator = evaluator
        self.keepsRows = keepsRows
    }

    /// Returns the columns of all rows, on disk if they need more memory than a statement may use.
    ///
    /// Then those that were computed are given up, and the rows are read once more.
    ///
    /// - Parameter again: returns the same rows once more; `nil` if they all are in memory.
    /// - Throws: ``StoreError`` with `limitExceeded` if a sum of integers leaves the 64-bit range.
    func content(
        of stream: any RowStream, again: (() -> (any RowStream, ExpressionEvaluator))?
    ) throws(StoreError) -> GroupedRows.Content {
        guard let again, let spilled = SpilledWindows(columns, keepsRows: keepsRows) else {
            return .memory(try vectors(of: stream, byteCountMax: .max) ?? [])
        }
        let byteCountMax = evaluator.reader.snapshot.statementByteCount / 2
        if let vectors = try vectors(of: stream, byteCountMax: byteCountMax) {
            return .memory(vectors)
        }
        let (stream, evaluator) = again()
        return .disk(try spilled.rows(of: stream, evaluator))
    }

    /// Returns one vector per column, which is empty for a key.
    ///
    /// - Returns: `nil` if they need more memory.
    private func vectors(
        of stream: any RowStream, byteCountMax: Int
    ) throws(StoreError) -> [ColumnVector]? {
        var vectors = columns.map(\.emptyVector)
        if keepsRows { vectors.append(ColumnVector(kind: .int)) }
        var parts = parts()
        var slices = BatchSlices(of: evaluator.reader.snapshot.statementByteCount)
        while let batch = try stream.next() {
            let fits = try slices.visit(batch) { rows throws(StoreError) in
                let readByteCount = try add(rows, to: &vectors, &parts)
                let byteCount = parts.reduce(0) { $0 + $1.byteCount }
                guard vectors.reduce(byteCount, { $0 + $1.valueByteCount }) <= byteCountMax
                else { return nil }
                return readByteCount
            }
            guard fits else { return nil }
        }
        for index in parts.indices {
            try parts[index].functions.finish(evaluator.reader)
            for (column, values) in parts[index].functions.results(of: parts[index].owners) {
                vectors[column] = values
            }
        }
        return vectors
    }

    private func parts() -> [Part] {
        WindowFunctions.keySets(of: columns).map { keys in
            let expressions = keys.compactMap { columns[$0].projection?.expression }
            return Part(
                keys: keys,
                readers: KeyReaders(
                    expressions, expressions.map { ValueNumbers(kind: $0.kind) },
                    CombinationNumbers(expressions.count), adding: true),
                functions: WindowFunctions(keys, of: columns, evaluator.reader.snapshot))
        }
    }

    /// Adds rows to the columns.
    ///
    /// - Returns: the size of the values that were read.
    private func add(
        _ rows: BatchRows, to vectors: inout [ColumnVector], _ parts: inout [Part]
    ) throws(StoreError) -> Int {
        var inputs = columns.map(\.emptyVector)
        for (index, column) in columns.enumerated() {
            guard case .input(let input) = column else { continue }
            try evaluator.append(input.expression, of: rows, into: &inputs[index])
            vectors[index].append(inputs[index])
        }
        if keepsRows { vectors[columns.count].append(rows.numbers) }
        var readByteCount = inputs.reduce(0) { $0 + $1.valueByteCount }
        for index in parts.indices {
            let owners =
                parts[index].keys.isEmpty
                ? [UInt32](repeating: 0, count: rows.count)
                : try parts[index].readers.numbers(of: rows, evaluator)
            readByteCount += parts[index].readers.evaluatedByteCount
            let ownerCount = parts[index].functions.ownerCount
            parts[index].functions.makeRoom(for: owners)
            parts[index].addedCount = parts[index].functions.ownerCount - ownerCount
            let values = try parts[index].functions.values(
                of: inputs, owners, path: evaluator.source.path)
            for (column, values) in values { vectors[column].append(values) }
            if parts[index].functions.hasAggregates {
                try parts[index].functions.aggregate(inputs, owners)
                parts[index].owners += owners
            }
        }
        return readByteCount
    }
}
