import FirnCodec
import FirnEngine
import FirnValues

/// Keeps the first rows of each combination of values, in the order of another stream.
///
/// If the rows are clustered by a key, combinations are forgotten as soon as no later row has them.
///
/// When the combinations take more memory than a statement may use, all further rows that may be first
/// ones are written to disk, and decided after the last row of the stream.
final class FirstOfEachStream: RowStream {
    private let stream: any RowStream
    private let keys: [BoundExpression]
    private let countMax: Int
    private let evaluator: ExpressionEvaluator
    private let memoryByteCount: Int
    private var fetch: ScatteredFetch
    private var counts: CombinationCounts
    /// The rows about which the stream decides at the end.
    private var spilled: SpilledFirsts?
    private var hasEnded = false
    private let canSpill: Bool
    /// The clusters of the rows by a key; `nil` if there are none.
    private var clusters: KeyClusters?
    /// The row group of the last rows; `nil` before the first ones.
    private var latest: Int?
    /// The number of combinations at which complete ones are forgotten.
    private var keyCountMax = FirstOfEachStream.keyCountMin
    private static let keyCountMin = 32_768
    /// The number of row groups of a table below which all combinations are kept.
    private static let clusteredGroupCountMin = 16

    init(
        _ stream: any RowStream, _ countMax: Int, of keys: [BoundExpression],
        _ evaluator: ExpressionEvaluator
    ) {
        self.stream = stream
        self.countMax = countMax
        self.keys = keys
        self.evaluator = evaluator
        fetch = ScatteredFetch(keys, evaluator)
        counts = CombinationCounts(keys.map(\.kind), countMax)
        // The rest is left for the parts on disk, and for a sort before it.
        let share = stream.scan == nil ? 8 : 4
        memoryByteCount = evaluator.reader.snapshot.statementByteCount / share
        canSpill = SpilledGrouping.supports(keys)
    }

    func next() throws(StoreError) -> RowBatch? {
        while !hasEnded, let batch = try stream.next() {
            let kept = try kept(of: batch)
            if let kept { return kept }
        }
        hasEnded = true
        let rest = try spilled?.next(after: counts) { () throws(StoreError) in
            try evaluator.reader.checkStopped()
        }
        return rest.flatMap { $0.isEmpty ? nil : .scattered($0[...]) }
    }

    private func kept(of batch: RowBatch) throws(StoreError) -> RowBatch? {
        switch batch {
        case .run(let run):
            try forgetComplete(before: run.group)
            let firsts = countMax == 1 ? try evaluator.firstOccurrences(of: keys, in: run) : nil
            let rows = firsts ?? run.rows
            let vectors = try keys.map { key throws(StoreError) in
                var vector = ColumnVector(of: key.vectorType)
                try evaluator.append(key, of: .group(run.group, rows), into: &vector)
                return vector
            }
            let group = UInt32(truncatingIfNeeded: run.group)
            let kept = try kept(vectors) { RowReference(group: group, row: rows[$0]) }
            guard !kept.isEmpty else { return nil }
            return .run(RowRun(group: run.group, selection: .listed(kept.map { rows[$0] })))
        case .scattered(var rest):
            var references: [RowReference] = []
            while !rest.isEmpty {
                let fetched = try fetch.fetch(rest)
                let count = fetched.indices.count
                let start = rest.startIndex
                let kept = try kept(fetched.ordered(0..<count)) { rest[start + $0] }
                references += kept.map { rest[start + $0] }
                rest = rest.dropFirst(count)
            }
            return references.isEmpty ? nil : .scattered(references[...])
        }
    }

    /// Forgets the combinations that occur neither in a row group nor in later ones.
    private func forgetComplete(before group: Int) throws(StoreError) {
        guard let latest else {
            self.latest = group
            // Only a scan delivers the row groups in their order.
            guard stream.scan != nil, let source = evaluator.source.scanner,
                source.groups.count >= Self.clusteredGroupCountMin
            else { return }
            clusters = try KeyClusters(keys, source)
            if clusters != nil {
                counts = CombinationCounts(keys.map(\.kind), countMax, keepsValues: true)
            }
            return
        }
        guard let clusters, group != latest else { return }
        self.latest = group
        // Rows on disk are decided after the combinations that are known by then.
        guard spilled == nil, counts.count >= keyCountMax else { return }
        var codes: [UInt64] = []
        SortCode.append(counts.values[clusters.key], to: &codes)
        let kept = codes.indices.filter { clusters.mayFollow(group, codes[$0]) }
        counts.forget(keeping: kept.map { UInt32(truncatingIfNeeded: $0) })
        keyCountMax = max(Self.keyCountMin, 2 * counts.count)
    }

    /// Counts rows, and returns the indices of those to keep.
    ///
    /// Rows that are decided later are written to disk.
    private func kept(
        _ vectors: [ColumnVector], _ reference: (Int) -> RowReference
    ) throws(StoreError) -> [Int] {
        if spilled == nil, canSpill,
            counts.byteCount(afterAdding: vectors.first?.count ?? 0) > memoryByteCount
        {
            spilled = try SpilledFirsts(
                keys.map(\.kind), countMax, from: evaluator.source, of: evaluator.reader.snapshot)
        }
        guard spilled != nil else { return counts.kept(vectors) }
        let undecided = counts.incomplete(vectors)
        if !undecided.isEmpty {
            try spilled?.add(
                vectors.map { $0.picking(undecided) }, undecided.map { reference(Int($0)) })
        }
        return []
    }
}
