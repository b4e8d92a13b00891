import FirnCodec
import FirnEngine
import FirnValues

extension RowSource {
    /// Returns the rows of a run whose codes of a sort key do not exceed a bound, by a test of the
    /// encoded page.
    ///
    /// - Parameter bound: the largest code; the complement of a code if the key is descending.
    /// - Returns: `nil` if the key is no column, or the bound is not the code of one value.
    func rows(
        of run: RowRun, notAfter bound: UInt64, in key: BoundSortKey
    ) throws(StoreError) -> [UInt32]? {
        let code = key.descending ? ~bound : bound
        guard let column = key.expression.column,
            let value = SortCode.value(of: code, column.type.columnKind),
            // NaN is the largest number in sorting, but passes no comparison.
            try zone(column, of: run.group)?.hasNaN == false,
            let page = try page(column, of: run.group)
        else { return nil }
        var passing = Bitmap(count: page.rowCount)
        page.filter(
            .compare(key.descending ? .greaterOrEqual : .lessOrEqual, value), into: &passing)
        if !key.descending, page.nullCount > 0 {
            var nulls = Bitmap(count: page.rowCount)
            page.filter(.isNull, into: &nulls)
            passing.formUnion(nulls)
        }
        if case .all = run.selection {
        } else {
            passing.formIntersection(run.bitmap(rowCount: page.rowCount))
        }
        var rows: [UInt32] = []
        passing.appendRows(to: &rows)
        return rows
    }
}
