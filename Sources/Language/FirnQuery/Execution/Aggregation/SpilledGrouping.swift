import FirnCodec
import FirnEngine
import FirnPlatform
import FirnValues

/// Groups rows that were divided into parts on disk, on several threads.
struct SpilledGrouping {
    private let keys: [BoundExpression]
    private let items: [BoundGroupItem]
    private let evaluator: ExpressionEvaluator
    let file: SpillFile

    /// Returns `nil` if there is only one group, or if a value cannot be kept on disk.
    init?(
        keys: [BoundExpression], items: [BoundGroupItem], _ evaluator: ExpressionEvaluator
    ) {
        guard Self.supports(Grouping.expressions(keys, items)), !keys.isEmpty else { return nil }
        self.keys = keys
        self.items = items
        self.evaluator = evaluator
        file = evaluator.reader.snapshot.makeSpillFile()
    }

    /// Returns whether values can be kept on disk.
    static func supports(_ expressions: [BoundExpression]) -> Bool {
        expressions.allSatisfy { $0.kind.isColumnKind }
    }

    /// Returns the memory that the groups may take before rows are kept on disk.
    func memory() -> RowMemory {
        RowMemory(of: evaluator.reader.snapshot.statementByteCount)
    }

    /// Returns the clusters of the rows of a scan; `nil` if there are none, or if a group cannot be
    /// set aside.
    func clusters() throws(StoreError) -> KeyClusters? {
        guard GroupStates.canPick(items), let source = evaluator.source.scanner else { return nil }
        return try KeyClusters(keys, source)
    }

    /// Returns the groups of a stream, in the order of their first rows.
    ///
    /// No later group has an earlier row than those of the table.
    func content(
        ofStream grouping: consuming LimitedGrouping
    ) throws(StoreError) -> GroupedRows.Content {
        let columns = try grouping.takeAll()
        guard grouping.isDivided else { return .memory(columns) }
        var writer = PagedRows.Writer(columns.map(\.kind), to: file)
        try writer.append(columns)
        let first = try writer.rows()
        return .pages(first.followed(by: try merged(try runs(of: grouping.segments))))
    }

    /// Returns the groups of a scan, in the order of their first rows.
    func content(
        ofScan grouping: consuming LimitedGrouping
    ) throws(StoreError) -> GroupedRows.Content {
        guard grouping.isDivided else { return .memory(try grouping.columns()) }
        return .pages(try merged(try runs(of: grouping.segments)))
    }

    /// Returns the groups of each part of the keys, in the order of their first rows.
    ///
    /// - Parameter segments: tables and rows on disk.
    func runs(
        of segments: consuming [LimitedGrouping.Segment]
    ) throws(StoreError) -> [SpilledRun] {
        let partCount = segments.lazy.compactMap { $0.divider?.chunks.count }.first ?? 1
        var parts = [[SegmentPart]](repeating: [], count: partCount)
        for index in segments.indices {
            let tables = try divided(segments[index].table.groups, among: partCount)
            segments[index].table = segments[index].table.emptied
            let chunks = segments[index].divider?.chunks
            for part in parts.indices {
                parts[part].append(
                    SegmentPart(
                        table: tables?[part], chunks: chunks?[part].flatMap { $0 } ?? []))
            }
        }
        let task = PartTask(
            keys, items, kinds: Grouping.expressions(keys, items).map(\.kind), file,
            parts: Guarded(parts), partCount: partCount)
        return try SharedScan.results(of: partCount, evaluator.reader) {
            part, reader throws(StoreError) in
            // The values of the rows are known, so nothing is read from a source.
            let none = GroupedRows(path: reader.path) { () throws(StoreError) in [] }
            return try task.run(of: part, ExpressionEvaluator(source: none, reader: reader))
        }
    }

    /// Returns the groups of each part; `nil` if there are none.
    private func divided(
        _ groups: GroupStates, among partCount: Int
    ) throws(StoreError) -> [GroupStates]? {
        guard groups.count > 0 else { return nil }
        return try groups.divided(among: partCount) { () throws(StoreError) in
            try evaluator.reader.checkStopped()
        }
    }

    /// Returns groups in the order of their first rows.
    func merged(_ runs: [SpilledRun]) throws(StoreError) -> PagedRows {
        try SpilledMerge(runs, in: file).rows { () throws(StoreError) in
            try evaluator.reader.checkStopped()
        }
    }
}

/// The data that a segment has for a part of the keys.
///
/// One thread divides the segments, and then another one takes the part.
private struct SegmentPart: @unchecked Sendable {
    /// The groups of its table; `nil` if there are none.
    let table: GroupStates?
    /// The rows on disk, in their order.
    let chunks: [KeyPartitions.Chunk]
}

/// The grouping of parts, each of which one thread groups.
private struct PartTask: Sendable {
    private let keys: [BoundExpression]
    private let items: [BoundGroupItem]
    /// The kinds of the keys, followed by the kinds of the operands of the aggregates.
    private let kinds: [ValueTag]
    private let file: SpillFile
    /// The data that the segments have for each part, until a thread takes it.
    private let parts: Guarded<[[SegmentPart]]>
    private let partCount: Int

    init(
        _ keys: [BoundExpression], _ items: [BoundGroupItem], kinds: [ValueTag], _ file: SpillFile,
        parts: Guarded<[[SegmentPart]]>, partCount: Int
    ) {
        self.keys = keys
        self.items = items
        self.kinds = kinds
        self.file = file
        self.parts = parts
        self.partCount = partCount
    }

    /// Writes the groups of a part.
    func run(
        of part: Int, _ evaluator: ExpressionEvaluator
    ) throws(StoreError) -> SpilledRun {
        let segments = parts.withLock { parts in
            defer { parts[part] = [] }
            return parts[part]
        }
        var whole = Grouping(keys: keys, items: items, evaluator)
        for segment in segments {
            if let table = segment.table { try whole.merge(table) }
            guard !segment.chunks.isEmpty else { continue }
            var rows = Grouping(keys: keys, items: items, evaluator)
            for chunk in segment.chunks { try add(chunk, to: &rows) }
            if whole.groups.count == 0 { whole = rows } else { try whole.merge(rows) }
        }
        // The last vector is the order of the groups.
        return try SpilledRun(
            try whole.columns() + [whole.groups.firstRows], to: file, among: partCount)
    }

    private func add(
        _ chunk: KeyPartitions.Chunk, to grouping: inout Grouping
    ) throws(StoreError) {
        let (vectors, numbers) = try KeyPartitions.vectors(of: chunk, kinds, in: file)
        try grouping.add(vectors, rowCount: chunk.rowCount, rowNumbers: numbers)
    }
}
