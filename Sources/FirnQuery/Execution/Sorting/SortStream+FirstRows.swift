import FirnCodec
import FirnEngine
import FirnValues

/// Finds the first rows of a whole table in some order, without sorting the table.
extension SortStream {
    func firstRows(of scan: ScanStream) throws(StoreError) -> [RowReference] {
        var rows = SortRows(
            keys: keys, tiesByArrival: false, isStopped: evaluator.reader.isStopped)
        /// Rows with a first code above the bound can no longer be among the first rows.
        var bound: UInt64?
        for (best, group) in try groupsByPromise() {
            if let bound, best > bound { break }
            guard let run = try scan.run(of: group) else { continue }
            var position = 0
            while position < run.count {
                // Without a bound, only a few rows are read at a time. They yield a bound, which
                // excludes most of the other rows.
                let end = bound == nil ? min(run.count, position + firstCount) : run.count
                let candidates = try candidates(run.part(position..<end), bound)
                position = end
                if !candidates.isEmpty { try rows.append(candidates, of: group, evaluator) }
                if rows.count > keptCount || (bound == nil && rows.count >= limit) {
                    bound = try rows.keepFirst(limit, path: evaluator.source.path) ?? bound
                }
            }
        }
        return try rows.sorted(limit: limit, path: evaluator.source.path)
    }

    /// The number of rows that are read while there is no bound.
    private var firstCount: Int { max(2 * limit, 1024) }

    /// Returns the groups with the smallest code that one of their rows can have, the best first.
    private func groupsByPromise() throws(StoreError) -> [(best: UInt64, group: Int)] {
        var groups: [(best: UInt64, group: Int)] = []
        for group in 0..<(try evaluator.source.groupCount()) {
            groups.append((best: try leastCode(of: group), group: group))
        }
        return groups.sorted { ($0.best, $0.group) < ($1.best, $1.group) }
    }

    /// Returns the smallest code that a row of a group can have; 0 if nothing is known.
    private func leastCode(of group: Int) throws(StoreError) -> UInt64 {
        guard let key = keys.first, let column = key.expression.column,
            let zone = try evaluator.source.zone(column, of: group)
        else { return 0 }
        if key.descending {
            guard !zone.hasNaN else { return 0 }
            guard let maximum = zone.maximum else {
                // The complement of null's code 0, if the group contains only nulls.
                return zone.nullCount == zone.rowCount ? .max : 0
            }
            // The prefix of a truncated maximum determines its code if it is long enough.
            if zone.maximumIsPrefix {
                switch maximum {
                case .string(let prefix) where prefix.utf8.count < 8: return 0
                case .data(let prefix) where prefix.count < 8: return 0
                default: break
                }
            }
            return SortCode.code(of: maximum).map { ~$0 } ?? 0
        }
        guard zone.nullCount == 0, let minimum = zone.minimum else { return 0 }
        return SortCode.code(of: minimum) ?? 0
    }

    /// Returns the rows of a run whose first code does not exceed the bound.
    private func candidates(_ run: RowRun, _ bound: UInt64?) throws(StoreError) -> [UInt32] {
        guard let bound, let key = keys.first else { return run.rows }
        if let rows = try evaluator.source.rows(of: run, notAfter: bound, in: key) { return rows }
        let rows = run.rows
        var vector = ColumnVector(kind: key.expression.kind)
        try evaluator.append(key.expression, of: .group(run.group, rows), into: &vector)
        var codes: [UInt64] = []
        SortCode.append(vector, to: &codes)
        var kept: [UInt32] = []
        for (row, code) in zip(rows, codes) where (key.descending ? ~code : code) <= bound {
            kept.append(row)
        }
        return kept
    }
}
