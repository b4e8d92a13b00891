import FirnCodec
import FirnEngine

/// Drops rows that cannot be among the first of their group in an order, so that few are sorted.
///
/// Rows whose first sort key has a larger code than those of `countMax` other rows of the group are
/// dropped; the sort decides about the others, and about equal codes.
final class BestOfEachStream: RowStream {
    /// With more rows of each group, a sort is faster.
    static let countLimit = 64
    /// With more codes, all rows are sorted, so that the memory stays bounded.
    private static let codeCountMax = 1 << 22

    private let stream: any RowStream
    private let countMax: Int
    private let order: BoundSortKey
    private let evaluator: ExpressionEvaluator
    private let readers: KeyReaders
    /// The smallest codes of each group, ascending; those that are still missing are the largest
    /// code.
    private var best: [UInt64] = []

    init(
        _ stream: any RowStream, _ countMax: Int, of keys: [BoundExpression],
        by order: BoundSortKey, _ evaluator: ExpressionEvaluator
    ) {
        self.stream = stream
        self.countMax = countMax
        self.order = order
        self.evaluator = evaluator
        readers = KeyReaders(
            keys, keys.map { ValueNumbers(kind: $0.kind) }, CombinationNumbers(keys.count),
            adding: true)
    }

    func next() throws(StoreError) -> RowBatch? {
        while let batch = try stream.next() {
            // Rows in another order come from a sort, after which there are few.
            guard case .run(let run) = batch, best.count <= Self.codeCountMax else { return batch }
            let rows = run.rows
            let part = BatchRows.group(run.group, rows)
            let owners = try readers.numbers(of: part, evaluator)
            var vector = ColumnVector(of: order.expression.vectorType)
            try evaluator.append(order.expression, of: part, into: &vector)
            var codes: [UInt64] = []
            SortCode.append(vector, to: &codes)
            let kept = kept(rows, owners, codes)
            if !kept.isEmpty {
                return .run(RowRun(group: run.group, selection: .listed(kept)))
            }
        }
        return nil
    }

    private func kept(_ rows: [UInt32], _ owners: [UInt32], _ codes: [UInt64]) -> [UInt32] {
        let groupCount = owners.max().map { Int($0) + 1 } ?? 0
        if best.count < groupCount * countMax {
            best += repeatElement(.max, count: groupCount * countMax - best.count)
        }
        var kept: [UInt32] = []
        for index in rows.indices {
            let code = order.descending ? ~codes[index] : codes[index]
            let start = Int(owners[index]) * countMax
            var place = start + countMax - 1
            guard code <= best[place] else { continue }
            kept.append(rows[index])
            while place > start, best[place - 1] > code {
                best[place] = best[place - 1]
                place -= 1
            }
            best[place] = code
        }
        return kept
    }
}
