import FirnCodec
import FirnEngine

/// One condition of a predicate without AND, OR and NOT, asked group by group.
protocol RowFilter: AnyObject {
    /// What is known of a group without reading its pages.
    func verdict(of group: Int) throws(StoreError) -> ZoneMap.Verdict

    /// Overwrites the rows of a group with those that pass.
    ///
    /// - Parameter candidates: the only rows that are asked for; others may come out either way.
    ///   `nil` asks for all.
    func mark(
        _ group: Int, _ candidates: Bitmap?, into rows: inout Bitmap
    ) throws(StoreError)
}

extension RowFilter {
    func verdict(of group: Int) throws(StoreError) -> ZoneMap.Verdict { .some }
}
