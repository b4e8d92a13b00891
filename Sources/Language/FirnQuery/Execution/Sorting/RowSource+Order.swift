import FirnCodec
import FirnEngine
import FirnValues

extension RowSource {
    /// Returns a range that contains the codes of a sort key of all rows of a group, as far as its
    /// zone map tells.
    func codes(of key: BoundSortKey, in group: Int) throws(StoreError) -> ClosedRange<UInt64> {
        guard let column = key.expression.column, let zone = try zone(column, of: group)
        else { return 0 ... .max }
        let least = zone.nullCount > 0 ? nil : zone.minimum.flatMap { SortCode.code(of: $0) }
        let codes = (least ?? 0)...max(least ?? 0, zone.greatestCode)
        return key.descending ? ~codes.upperBound ... ~codes.lowerBound : codes
    }

    /// Returns the rows of a run whose codes of a sort key are at most a bound, by a test of the
    /// encoded page.
    ///
    /// - Parameter bound: the largest code; the complement of a code if the key is descending.
    /// - Returns: `nil` if the key is not a column, or the bound is not the code of one value.
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

extension ZoneMap {
    /// The largest code that one of the values can have.
    fileprivate var greatestCode: UInt64 {
        guard !hasNaN else { return .max }
        // Without a maximum, all values are null, or nothing is known.
        guard let maximum else { return nullCount == rowCount ? 0 : .max }
        // The prefix of a truncated maximum determines its code if it is long enough.
        if maximumIsPrefix {
            switch maximum {
            case .string(let prefix) where prefix.utf8.count < 8: return .max
            case .data(let prefix) where prefix.count < 8: return .max
            default: break
            }
        }
        return SortCode.code(of: maximum) ?? .max
    }
}
