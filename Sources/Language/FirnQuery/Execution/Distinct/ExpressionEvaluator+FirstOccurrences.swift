import FirnCodec
import FirnEngine
import FirnValues

extension ExpressionEvaluator {
    /// Returns candidate rows for the first row of each value: the rows with the first occurrences
    /// in a page; `nil` if all rows have to be read.
    func firstOccurrences(
        of keys: [BoundExpression], in run: RowRun
    ) throws(StoreError) -> [UInt32]? {
        guard keys.count == 1, case .column(let column) = keys[0] else { return nil }
        // For few rows, reading them is faster than visiting all codes.
        if case .listed = run.selection { return nil }
        guard let page = try source.page(column, of: run.group) else { return nil }
        return page.firstOccurrences(in: run.bitmap(rowCount: page.rowCount))?.map(\.row)
    }
}
