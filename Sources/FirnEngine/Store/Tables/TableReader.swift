import FirnCodec
package import FirnValues

/// Single values of the objects of one class in one snapshot, for callers that come back to the same
/// objects and their neighbours.
///
/// Belongs to one thread. The pages that it hands out stay in memory as long as it, or a
/// ``GroupReader`` of it, lives.
package final class TableReader {
    package let table: Table
    private let properties: [PropertySchema]
    /// The group of the object that was located last: neighbours are mostly in the same.
    private var recent: GroupReader?
    private var groups: [RowID: GroupReader] = [:]

    /// - Parameter properties: whose values are wanted; their positions are the places that
    ///   ``GroupReader/value(_:at:)`` takes.
    package init(_ table: Table, _ properties: [PropertySchema]) {
        self.table = table
        self.properties = properties
    }

    /// Where an object stands; `nil` if there is none.
    ///
    /// - Complexity: O(log objects), less in the group of the call before.
    package func locate(_ row: RowID) throws(StoreError) -> (group: GroupReader, index: Int)? {
        if let recent, row >= recent.firstRowID, let place = try recent.denseIndex(of: row) {
            return try recent.view.isLive(place) ? (recent, place) : nil
        }
        guard let (view, index) = try table.locate(row) else { return nil }
        let group: GroupReader
        if let known = groups[view.firstRowID] {
            group = known
        } else {
            group = try GroupReader(view, properties)
            groups[view.firstRowID] = group
        }
        recent = group
        return (group, index)
    }
}

/// Single values of the rows of one group.
package final class GroupReader {
    let view: RowGroupView
    let properties: [PropertySchema]
    /// Those that are read as they stand: no overlay, no collection, no link.
    private var pages: [ColumnPage?]
    let firstRowID: RowID
    /// Whether row ids follow each other without a gap.
    private let isDense: Bool

    init(_ view: RowGroupView, _ properties: [PropertySchema]) throws(StoreError) {
        self.view = view
        self.properties = properties
        pages = Array(repeating: nil, count: properties.count)
        firstRowID = view.firstRowID
        isDense = view.isValues ? false : try view.rowIDOffsets() == nil
    }

    /// The place of a row of this group, if it can be had without a search.
    func denseIndex(of row: RowID) throws(StoreError) -> Int? {
        let distance = row.rawValue - firstRowID.rawValue
        guard isDense, distance < UInt64(view.rowCount) else { return nil }
        return Int(distance)
    }

    /// One value.
    ///
    /// - Parameters:
    ///   - place: of the property among those of the ``TableReader``.
    ///   - index: as ``TableReader/locate(_:)`` says.
    @inline(__always)
    package func value(_ place: Int, at index: Int) throws(StoreError) -> Value {
        if let page = pages[place] { return page.value(at: index) }
        return try otherValue(place, at: index)
    }

    private func otherValue(_ place: Int, at index: Int) throws(StoreError) -> Value {
        let property = properties[place]
        if property.type.container == .single, property.type.base != .link, !view.isValues,
            view.patch?.changes(property.id) != true
        {
            let page = try view.column(property)
            pages[place] = page
            return page.value(at: index)
        }
        return try view.value(of: property, at: index)
    }
}
