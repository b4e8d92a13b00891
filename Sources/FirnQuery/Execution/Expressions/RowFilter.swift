import FirnCodec
import FirnEngine

/// One condition of a predicate without AND, OR and NOT, evaluated group by group.
protocol RowFilter: AnyObject {
    /// Returns what is known about a group without reading its pages.
    func verdict(of group: Int) throws(StoreError) -> ZoneMap.Verdict

    /// Overwrites `rows` with the rows of a group that pass.
    ///
    /// - Parameter candidates: the only rows whose result matters. The result for other rows is
    ///   undefined. `nil` requests all rows.
    func mark(
        _ group: Int, _ candidates: Bitmap?, into rows: inout Bitmap
    ) throws(StoreError)
}

extension RowFilter {
    func verdict(of group: Int) throws(StoreError) -> ZoneMap.Verdict { .some }
}
