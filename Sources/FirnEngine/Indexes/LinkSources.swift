package import FirnValues

/// The objects that link to each of several targets through one property.
package struct LinkSources: Sendable {
    /// The sources of target i are `rows[offsets[i]..<offsets[i + 1]]`.
    package var offsets: [Int] = [0]
    /// Ascending for each target; a source stands there as often as it links.
    package var rows: [RowID] = []

    package init() {}

    /// The sources of one of the targets.
    package subscript(target: Int) -> ArraySlice<RowID> {
        rows[offsets[target]..<offsets[target + 1]]
    }
}
