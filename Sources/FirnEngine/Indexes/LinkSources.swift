package import FirnValues

/// The objects that link to each of several targets through one property.
package struct LinkSources: Sendable {
    /// The offsets: the sources of target i are `rows[offsets[i]..<offsets[i + 1]]`.
    package var offsets: [Int] = [0]
    /// The sources, ascending for each target; a source occurs once per link.
    package var rows: [RowID] = []

    package init() {}

    /// Returns the sources of one of the targets.
    package subscript(target: Int) -> ArraySlice<RowID> {
        rows[offsets[target]..<offsets[target + 1]]
    }
}
