import FirnCodec
import FirnEngine
import FirnPlatform
import FirnValues

/// Groups rows that were divided into parts on disk, on several threads.
struct SpilledGrouping {
    private let keys: [BoundExpression]
    private let items: [BoundGroupItem]
    private let evaluator: ExpressionEvaluator
    /// The keys, and then the operands of the aggregates.
    private let expressions: [BoundExpression]

    /// Returns `nil` if there is only one group, or a value cannot be kept on disk.
    init?(
        keys: [BoundExpression], items: [BoundGroupItem], _ evaluator: ExpressionEvaluator
    ) {
        guard Self.supports(Grouping.expressions(keys, items)), !keys.isEmpty else { return nil }
        self.keys = keys
        self.items = items
        self.evaluator = evaluator
        expressions = Grouping.expressions(keys, items)
    }

    /// Returns whether values can be kept on disk.
    static func supports(_ expressions: [BoundExpression]) -> Bool {
        expressions.allSatisfy { $0.kind.isColumnKind }
    }

    /// Returns the memory that the groups may take before they are kept on disk.
    func memory() -> RowMemory {
        RowMemory(of: evaluator.reader.snapshot.statementByteCount)
    }

    /// Returns the clusters of the rows of a scan; `nil` without any, or if a group cannot be set
    /// aside.
    func clusters() throws(StoreError) -> KeyClusters? {
        guard Grouping.canSplit(items), let source = evaluator.source.scanner else {
            return nil
        }
        return try KeyClusters(keys, source)
    }

    /// Groups the rows of a scan that are clustered by a key.
    ///
    /// - Parameters:
    ///   - memory: what the groups may take that are not complete.
    ///   - file: where groups that are too many for the memory are written.
    /// - Returns: `nil` if the groups that are not complete need more memory.
    func content(
        of scan: PartitionedScan, _ clusters: KeyClusters, _ memory: RowMemory,
        to file: SpillFile
    ) throws(StoreError) -> GroupedRows.Content? {
        let (keys, items) = (keys, items)
        let statementByteCount = evaluator.reader.snapshot.statementByteCount
        let grouping = try scan.consume {
            ClusteredGrouping(
                Grouping(keys: keys, items: items, $0, memory: memory, numbersRows: true),
                clusters, statementByteCount: statementByteCount, to: file)
        }
        guard !memory.isExceeded else { return nil }
        return try grouping.content { () throws(StoreError) in
            try evaluator.reader.checkStopped()
        }
    }

    /// Returns the groups of a stream, of which those found so far fill the memory.
    ///
    /// All rows of these come first: no later group has an earlier row.
    ///
    /// - Parameter grouping: the groups found so far, which are completed and then released.
    func rows(
        of stream: any RowStream, after grouping: inout Grouping
    ) throws(StoreError) -> PagedRows {
        let file = evaluator.reader.snapshot.makeSpillFile()
        var divider = RowDivider(
            expressions, keyCount: keys.count, evaluator, to: file,
            partCount: try evaluator.source.partCount())
        grouping.freeze()
        while let batch = try stream.next() {
            if let rest = try grouping.addKnown(batch) { try divider.add(rest) }
        }
        try divider.finish()
        let columns = try grouping.columns()
        grouping = grouping.emptied
        var writer = PagedRows.Writer(columns.map(\.kind), to: file)
        try writer.append(columns)
        let first = try writer.rows()
        return first.followed(by: try rows(of: divider, in: file))
    }

    /// Divides the rows of a scan into parts, and returns their groups in the order of their first
    /// rows.
    func rows(of scan: PartitionedScan, in file: SpillFile) throws(StoreError) -> PagedRows {
        let (expressions, keyCount) = (expressions, keys.count)
        let partCount = try evaluator.source.partCount()
        let spill = try scan.consume {
            RowDivider(
                expressions, keyCount: keyCount, $0, to: file, partCount: partCount)
        }
        return try rows(of: spill, in: file)
    }

    /// Returns the groups in the order of their first rows.
    func rows(
        of spill: RowDivider, in file: SpillFile
    ) throws(StoreError) -> PagedRows {
        let parts = spill.chunks
        let task = SpillTask(
            keys, items, expressions, file, partCount: parts.count)
        let runs = try SharedScan.results(of: parts.count, evaluator.reader) {
            part, reader throws(StoreError) in
            // The values of the rows are known, so nothing is read from a source.
            let none = GroupedRows(path: reader.path) { () throws(StoreError) in [] }
            return try task.run(
                of: parts[part], ExpressionEvaluator(source: none, reader: reader))
        }
        return try SpilledMerge(runs, in: file).rows { () throws(StoreError) in
            try evaluator.reader.checkStopped()
        }
    }
}

/// The grouping of a part of the rows on disk.
private struct SpillTask: Sendable {
    private let keys: [BoundExpression]
    private let items: [BoundGroupItem]
    private let file: SpillFile
    private let kinds: [ValueTag]
    private let partCount: Int

    init(
        _ keys: [BoundExpression], _ items: [BoundGroupItem], _ expressions: [BoundExpression],
        _ file: SpillFile, partCount: Int
    ) {
        self.partCount = partCount
        self.keys = keys
        self.items = items
        self.file = file
        kinds = expressions.map(\.kind)
    }

    /// Writes the groups of the rows of a part.
    func run(
        of chunks: [[KeyPartitions.Chunk]], _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> SpilledRun {
        let grouping = try grouping(chunks, evaluator)
        // The last vector is the order of the groups.
        return try SpilledRun(
            try grouping.columns() + [grouping.firstRows], to: file, among: partCount)
    }

    /// Groups the rows of a part as a scan in memory does, so that sums of Doubles, which depend on
    /// the order of additions, are the same.
    private func grouping(
        _ chunks: [[KeyPartitions.Chunk]], _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> Grouping {
        let empty = Grouping(keys: keys, items: items, evaluator)
        var whole: Grouping?
        for chunks in chunks where !chunks.isEmpty {
            var grouping = Grouping(keys: keys, items: items, evaluator)
            for chunk in chunks { try add(chunk, to: &grouping) }
            if whole == nil {
                whole = grouping
            } else {
                try whole?.merge(grouping)
            }
        }
        return whole ?? empty
    }

    private func add(
        _ chunk: KeyPartitions.Chunk, to grouping: inout Grouping
    ) throws(StoreError) {
        let (vectors, numbers) = try KeyPartitions.vectors(of: chunk, kinds, in: file)
        try grouping.add(vectors, rowCount: chunk.rowCount, rowNumbers: numbers)
    }
}
