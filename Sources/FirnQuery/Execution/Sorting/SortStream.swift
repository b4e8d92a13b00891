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
    private var isDone = false

    init(
        _ source: any RowStream, _ keys: [BoundSortKey], limit: Int = .max, _ scanner: TableScanner
    ) {
        self.source = source
        self.keys = keys
        self.limit = limit
        self.scanner = scanner
    }

    /// All rows at once.
    func next() throws(StoreError) -> RowBatch? {
        guard !isDone else { return nil }
        isDone = true
        let references = try sorted()
        return references.isEmpty ? nil : .scattered(references[...])
    }

    private func sorted() throws(StoreError) -> [RowReference] {
        guard limit > 0 else { return [] }
        if isBounded, let scan = source as? ScanStream { return try firstRows(of: scan) }
        var rows = SortRows(keys: keys, tiesByArrival: true)
        var fetch = ScatteredFetch(keys.map(\.column), scanner)
        while let batch = try source.next() {
            switch batch {
            case .run(let run):
                try rows.append(run.rows, of: run.group, from: scanner)
                dropLast(&rows)
            case .scattered(var references):
                while !references.isEmpty {
                    let fetched = try fetch.fetch(references)
                    let count = fetched.places.count
                    try rows.append(
                        references.prefix(count), fetched.ordered(0..<count), path: scanner.path)
                    references = references.dropFirst(count)
                    dropLast(&rows)
                }
            }
        }
        return rows.sorted(limit: limit)
    }

    /// Whether rows can be dropped early; a limit near the largest number is none.
    private var isBounded: Bool { limit < .max / 4 }

    /// Rows to collect before the worst are dropped.
    private var keptCount: Int { max(2 * limit, 4096) }

    private func dropLast(_ rows: inout SortRows) {
        if isBounded, rows.count > keptCount { _ = rows.keepFirst(limit) }
    }

    private func firstRows(of scan: ScanStream) throws(StoreError) -> [RowReference] {
        var rows = SortRows(keys: keys, tiesByArrival: false)
        /// Rows whose first code is above it cannot be among the first any more.
        var bound: UInt64?
        for (best, group) in try groupsByPromise() {
            if let bound, best > bound { break }
            guard let run = try scan.run(of: group) else { continue }
            let candidates = try candidates(run, bound)
            guard !candidates.isEmpty else { continue }
            try rows.append(candidates, of: group, from: scanner)
            if rows.count > keptCount || (bound == nil && rows.count >= limit) {
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

    /// 0 where nothing is known.
    private func leastCode(of group: Int) throws(StoreError) -> UInt64 {
        guard let key = keys.first, let zone = try scanner.zone(key.column, of: group) else {
            return 0
        }
        if key.descending {
            guard !zone.hasNaN else { return 0 }
            guard let maximum = zone.maximum else {
                // Only nulls: the complement of their code 0.
                return zone.nullCount == zone.rowCount ? .max : 0
            }
            // What a string that was cut begins with decides its code if it is long enough.
            if zone.maximumIsPrefix, case .string(let prefix) = maximum, prefix.utf8.count < 8 {
                return 0
            }
            return SortCode.code(of: maximum).map { ~$0 } ?? 0
        }
        guard zone.nullCount == 0, let minimum = zone.minimum else { return 0 }
        return SortCode.code(of: minimum) ?? 0
    }

    /// The rows of a run whose first code does not exceed the bound.
    private func candidates(_ run: RowRun, _ bound: UInt64?) throws(StoreError) -> [UInt32] {
        guard let bound, let key = keys.first else { return run.rows }
        let rows = run.rows
        var vector = ColumnVector(kind: key.column.type.base)
        try scanner.gather(key.column, of: run.group, rows: rows, into: &vector)
        var codes: [UInt64] = []
        SortCode.append(vector, to: &codes)
        var kept: [UInt32] = []
        for (row, code) in zip(rows, codes) where (key.descending ? ~code : code) <= bound {
            kept.append(row)
        }
        return kept
    }
}
