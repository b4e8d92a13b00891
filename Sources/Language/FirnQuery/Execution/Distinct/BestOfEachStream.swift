import FirnCodec
import FirnEngine
import FirnValues

/// Drops rows that cannot be among the first of their group, so that fewer rows are sorted.
///
/// Rows whose first sort key has a larger code than those of `countMax` other rows of the group are
/// dropped; the sort decides about the others, and about equal codes. If the groups in a page are
/// known to have enough rows, most rows are dropped by one test of the encoded page.
final class BestOfEachStream: RowStream {
    /// The maximum number of rows of each group, above which a sort is faster.
    static let countLimit = 64
    /// The part of the memory of a statement that the groups may take, as a divisor; if they take
    /// more, all rows are sorted.
    private static let memoryShare = 16
    /// The number of groups in a page up to which the groups are looked up.
    private static let groupsPerPageMax = 256
    /// The number of rows to read before the groups in a page are looked up again.
    private static let rowsPerLookup = 2_048

    private let stream: any RowStream
    private let countMax: Int
    private let keys: [BoundExpression]
    private let order: BoundSortKey
    private let evaluator: ExpressionEvaluator
    private var readers: KeyReaders
    private let memoryByteCount: Int
    /// Whether the groups take too much memory, so that no more rows are dropped.
    private var keepsAll = false
    /// The smallest codes of each group, ascending; missing ones have the largest code.
    private var best: [UInt64] = []

    init(
        _ stream: any RowStream, _ countMax: Int, of keys: [BoundExpression],
        by order: BoundSortKey, _ evaluator: ExpressionEvaluator
    ) {
        self.stream = stream
        self.countMax = countMax
        self.keys = keys
        self.order = order
        self.evaluator = evaluator
        readers = Self.readers(of: keys)
        memoryByteCount = evaluator.reader.snapshot.statementByteCount / Self.memoryShare
    }

    private static func readers(of keys: [BoundExpression]) -> KeyReaders {
        KeyReaders(
            keys, keys.map { ValueNumbers(kind: $0.kind) }, CombinationNumbers(keys.count),
            adding: true)
    }

    func next() throws(StoreError) -> RowBatch? {
        while let batch = try stream.next() {
            // Rows in another order come from a sort, after which there are few.
            guard case .run(let run) = batch, !keepsAll else { return batch }
            let byteCount =
                readers.byteCount(afterAdding: run.count)
                + 8 * max(best.capacity, best.count + run.count * countMax)
            guard byteCount <= memoryByteCount else {
                keepsAll = true
                (readers, best) = (Self.readers(of: []), [])
                return batch
            }
            let kept = try kept(of: run)
            if !kept.isEmpty {
                return .run(RowRun(group: run.group, selection: .listed(kept)))
            }
        }
        return nil
    }

    private func kept(of run: RowRun) throws(StoreError) -> [UInt32] {
        let groups = try firstRowsOfGroups(run)
        var kept: [UInt32] = []
        var position = 0
        while position < run.count {
            let rest = run.part(position..<run.count)
            if let groups, let bound = try bound(of: groups, in: run.group),
                let rows = try evaluator.source.rows(of: rest, notAfter: bound, in: order)
            {
                return try kept + self.kept(rows, of: run.group)
            }
            let end = groups == nil ? run.count : min(run.count, position + Self.rowsPerLookup)
            kept += try self.kept(run.part(position..<end).rows, of: run.group)
            position = end
        }
        return kept
    }

    /// Returns one row of each group in a run; `nil` if there are too many groups, or if they would
    /// have to be read.
    private func firstRowsOfGroups(_ run: RowRun) throws(StoreError) -> [UInt32]? {
        guard keys.count == 1, let column = keys[0].column, order.expression.column != nil,
            let page = try evaluator.source.page(column, of: run.group),
            let firsts = page.firstOccurrences(in: run.bitmap(rowCount: page.rowCount)),
            firsts.count <= Self.groupsPerPageMax
        else { return nil }
        return firsts.map(\.row)
    }

    /// Returns the code above which no row of the given groups is kept; `nil` if one of them has
    /// too few rows.
    ///
    /// - Parameter rows: one row of each group.
    private func bound(of rows: [UInt32], in group: Int) throws(StoreError) -> UInt64? {
        var bound: UInt64 = 0
        for owner in try readers.numbers(of: .group(group, rows), evaluator) {
            let last = Int(owner) * countMax + countMax - 1
            guard last < best.count, best[last] != .max else { return nil }
            bound = max(bound, best[last])
        }
        return bound
    }

    private func kept(_ rows: [UInt32], of group: Int) throws(StoreError) -> [UInt32] {
        guard !rows.isEmpty else { return [] }
        let part = BatchRows.group(group, rows)
        let owners = try readers.numbers(of: part, evaluator)
        return kept(rows, owners, try evaluator.codes(of: order, part))
    }

    private func kept(_ rows: [UInt32], _ owners: [UInt32], _ codes: [UInt64]) -> [UInt32] {
        let groupCount = owners.max().map { Int($0) + 1 } ?? 0
        if best.count < groupCount * countMax {
            best += repeatElement(.max, count: groupCount * countMax - best.count)
        }
        var kept: [UInt32] = []
        for index in rows.indices {
            let code = codes[index]
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
