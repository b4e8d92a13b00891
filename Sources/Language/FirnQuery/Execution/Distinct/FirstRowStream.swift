import FirnCodec
import FirnEngine
import FirnValues

/// Delivers the first row of each combination of values of a scan, in the order of the table.
///
/// Several threads find them. When the combinations take more memory than a statement may use, they
/// are given up, and the rows are read once more. They are divided by their keys into parts on disk,
/// each of which fits into memory.
final class FirstRowStream: RowStream {
    private enum Found {
        case memory(RowMarks)
        /// The numbers of the rows.
        case disk(PagedRows)
    }

    private let keys: [BoundExpression]
    private let evaluator: ExpressionEvaluator
    /// Finds the rows on disk.
    private let grouping: SpilledGrouping
    private let scan: () -> PartitionedScan
    /// `nil` before the search.
    private var found: Found?
    /// The row group, or the page of row numbers, that is read next.
    private var position = 0
    /// The rows from disk that were read and not delivered.
    private var rest: ArraySlice<RowReference> = []

    /// - Parameters:
    ///   - keys: the values, which can be kept on disk.
    ///   - scan: returns a scan of the rows, the same ones for each call.
    init(
        of keys: [BoundExpression], _ evaluator: ExpressionEvaluator,
        _ scan: @escaping () -> PartitionedScan
    ) {
        self.keys = keys
        self.evaluator = evaluator
        self.scan = scan
        grouping = SpilledGrouping(firstRowsOf: keys, evaluator)
    }

    /// Returns the next rows of one row group.
    func next() throws(StoreError) -> RowBatch? {
        let rows = if let found { found } else { try search() }
        found = rows
        switch rows {
        case .memory(let marks): return next(of: marks).map { .run($0) }
        case .disk(let rows): return try next(of: rows).map { .run($0) }
        }
    }

    private func next(of marks: RowMarks) -> RowRun? {
        while position < marks.groupCount {
            defer { position += 1 }
            if let run = marks.run(of: position) { return run }
        }
        return nil
    }

    private func next(of rows: PagedRows) throws(StoreError) -> RowRun? {
        if rest.isEmpty {
            guard position < rows.pages.count else { return nil }
            rest = try rows.vector(0, of: position).ints.map { RowReference(number: $0) }[...]
            position += 1
        }
        guard let group = rest.first?.group else { return nil }
        let end = rest.partitioningIndex { $0.group > group }
        defer { rest = rest[end...] }
        return RowRun(group: Int(group), selection: .listed(rest[..<end].map(\.row)))
    }

    private func search() throws(StoreError) -> Found {
        let memory = grouping.memory()
        let clusters = try grouping.clusters()
        let search = try scan().consumeInAnyOrder { [keys] in
            FirstRowSearch(keys, clusters, $0, memory: memory)
        }
        guard memory.isExceeded else { return .memory(search.found()) }
        let file = evaluator.reader.snapshot.makeSpillFile()
        return .disk(try grouping.rows(of: scan(), in: file))
    }
}
