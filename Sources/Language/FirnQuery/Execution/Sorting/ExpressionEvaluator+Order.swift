import FirnCodec
import FirnEngine
import FirnValues

extension ExpressionEvaluator {
    /// Returns the codes of a sort key, complemented if it is descending.
    func codes(of key: BoundSortKey, _ rows: BatchRows) throws(StoreError) -> [UInt64] {
        if case .group(let group, let list) = rows, key.expression.kind.isOrderedByBytes,
            let column = key.expression.column, let page = try source.codedPage(column, of: group),
            let codeCount = page.codeCount, codeCount <= list.count / Self.rowsPerPageCodeMin
        {
            return try codes(of: key, group, list, page, codeCount)
        }
        var vector = ColumnVector(of: key.expression.vectorType)
        try append(key.expression, of: rows, into: &vector)
        var codes: [UInt64] = []
        SortCode.append(vector, isDescending: key.descending, to: &codes)
        return codes
    }

    /// The minimum number of rows per code of a page for which it is worthwhile to read each value
    /// only once.
    private static let rowsPerPageCodeMin = 8

    /// Returns the codes of a sort key, whose values are read once per code of their page.
    private func codes(
        of key: BoundSortKey, _ group: Int, _ rows: [UInt32], _ page: ColumnPage, _ codeCount: Int
    ) throws(StoreError) -> [UInt64] {
        let pageCodes = rows.withUnsafeBufferPointer { page.codes(of: $0) }
        var numbers = [Int](repeating: -1, count: codeCount)
        var firsts: [UInt32] = []
        for (row, code) in zip(rows, pageCodes) where numbers[Int(code)] < 0 {
            numbers[Int(code)] = firsts.count
            firsts.append(row)
        }
        var vector = ColumnVector(of: key.expression.vectorType)
        try append(key.expression, of: .group(group, firsts), into: &vector)
        var codes: [UInt64] = []
        SortCode.append(vector, isDescending: key.descending, to: &codes)
        return pageCodes.map { codes[numbers[Int($0)]] }
    }

    /// Returns the rows of a run in ranges of sort keys; `nil` if there are none.
    func rows(of run: RowRun, in ranges: [KeyRange]) throws(StoreError) -> RowRun? {
        var run = run
        for range in ranges {
            let bounds = try source.codes(of: range.key, in: run.group)
            guard bounds.overlaps(range.codes) else { return nil }
            if range.codes.contains(bounds) { continue }
            let rows = run.rows
            let codes = try codes(of: range.key, .group(run.group, rows))
            let kept = rows.indices.filter { range.codes.contains(codes[$0]) }.map { rows[$0] }
            guard !kept.isEmpty else { return nil }
            run = RowRun(group: run.group, selection: .listed(kept))
        }
        return run
    }
}
