import FirnCodec
import FirnEngine
import FirnValues

/// Puts the rows of another stream in order.
///
/// With a limit it keeps only about twice as many rows as are wanted. Over a whole table it then
/// looks first at the groups whose zone maps promise the best values, and never reads a group
/// whose best value comes after the last row that would be kept.
final class SortStream: RowStream {
    private let source: any RowStream
    private let keys: [BoundSortKey]
    private let limit: Int
    private let scanner: TableScanner
    private var references: [RowReference]?
    private var position = 0

    init(
        _ source: any RowStream, _ keys: [BoundSortKey], limit: Int = .max, _ scanner: TableScanner
    ) {
        self.source = source
        self.keys = keys
        self.limit = limit
        self.scanner = scanner
    }

    func next() throws(StoreError) -> RowRun? {
        if references == nil { references = try sorted() }
        guard let references else { return nil }
        guard position < references.count else { return nil }
        let group = references[position].group
        var rows: [UInt32] = []
        while position < references.count, references[position].group == group {
            rows.append(references[position].row)
            position += 1
        }
        return RowRun(group: Int(group), selection: .listed(rows))
    }

    private func sorted() throws(StoreError) -> [RowReference] {
        guard limit > 0 else { return [] }
        if limit < .max / 4, let scan = source as? ScanStream { return try firstRows(of: scan) }
        var rows = SortRows(keys: keys, tiesByArrival: true)
        while let run = try source.next() {
            try rows.append(run.rows, of: run.group, from: scanner)
            if limit < .max / 4, rows.count > keptCount { _ = rows.keepFirst(limit) }
        }
        return rows.sorted(limit: limit)
    }

    /// Rows to collect before the worst are dropped.
    private var keptCount: Int { max(2 * limit, 4096) }

    private func firstRows(of scan: ScanStream) throws(StoreError) -> [RowReference] {
        var rows = SortRows(keys: keys, tiesByArrival: false)
        /// Rows whose first code is above it cannot be among the first any more.
        var bound = UInt64.max
        for (best, group) in try groupsByPromise() where best <= bound {
            guard let run = try scan.run(of: group) else { continue }
            let candidates = bound < .max ? try candidates(run, bound) : run.rows
            guard !candidates.isEmpty else { continue }
            try rows.append(candidates, of: group, from: scanner)
            if rows.count > keptCount || (bound == .max && rows.count >= limit) {
                bound = rows.keepFirst(limit) ?? bound
            }
        }
        return rows.sorted(limit: limit)
    }

    /// The groups with the least code that a row of theirs can have, the best first.
    private func groupsByPromise() throws(StoreError) -> [(best: UInt64, group: Int)] {
        var groups: [(best: UInt64, group: Int)] = []
        for group in scanner.groups.indices {
            groups.append((best: try leastCode(of: group), group: group))
        }
        return groups.sorted { ($0.best, $0.group) < ($1.best, $1.group) }
    }

    private func leastCode(of group: Int) throws(StoreError) -> UInt64 {
        guard let key = keys.first, let zone = try scanner.zone(key.column, of: group) else {
            return 0
        }
        if key.descending {
            guard !zone.hasNaN, !zone.maximumIsPrefix else { return 0 }
            // Only nulls: the complement of their code 0.
            guard let maximum = zone.maximum else { return .max }
            return SortCode.code(of: maximum).map { ~$0 } ?? 0
        }
        guard zone.nullCount == 0, let minimum = zone.minimum else { return 0 }
        return SortCode.code(of: minimum) ?? 0
    }

    /// The rows of a run whose first code does not exceed the bound.
    private func candidates(_ run: RowRun, _ bound: UInt64) throws(StoreError) -> [UInt32] {
        guard let key = keys.first else { return run.rows }
        let rows = run.rows
        var vector = ColumnVector(kind: key.column.type.base)
        try scanner.gather(key.column, of: run.group, rows: rows, into: &vector)
        var codes: [UInt64] = []
        _ = SortCode.append(vector, to: &codes)
        var kept: [UInt32] = []
        for (row, code) in zip(rows, codes) where (key.descending ? ~code : code) <= bound {
            kept.append(row)
        }
        return kept
    }
}
