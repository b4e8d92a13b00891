import FirnCodec
import FirnEngine
import FirnValues

/// The row groups of the class that a query reads, and what was read of them.
///
/// One per execution; belongs to one thread.
final class TableScanner {
    let groups: [RowGroupView]
    /// The file, for errors.
    let path: String
    private var pagesSeen: Set<PageKey> = []
    /// The page of each column that was used last: batches of one group come one after the other,
    /// and a page with changes laid over it is costly to make.
    private var latest: [PropertyID: (group: Int, page: ColumnPage)] = [:]

    private struct PageKey: Hashable {
        let group: Int
        let property: PropertyID
    }

    init(_ table: Table, path: String) throws(StoreError) {
        groups = try table.rowGroups()
        self.path = path
    }

    /// Column pages that were looked at.
    var pagesRead: Int { pagesSeen.count }

    func column(_ property: PropertySchema, of group: Int) throws(StoreError) -> ColumnPage {
        if let latest = latest[property.id], latest.group == group { return latest.page }
        let page = try groups[group].column(property)
        pagesSeen.insert(PageKey(group: group, property: property.id))
        latest[property.id] = (group, page)
        return page
    }

    /// What is known of a column of a group without reading it.
    func zone(_ column: BoundColumn, of group: Int) throws(StoreError) -> ZoneMap? {
        switch column {
        case .property(let property): return groups[group].zone(of: property)
        case .output: preconditionFailure("contract")
        case .rowID:
            let view = groups[group]
            var zone = ZoneMap(rowCount: view.rowCount, nullCount: 0)
            zone.minimum = .int(Int64(clamping: view.firstRowID.rawValue))
            zone.maximum = .int(
                Int64(clamping: try view.rowID(at: view.rowCount - 1).rawValue))
            return zone
        }
    }

    /// Appends the values of some rows.
    func gather(
        _ column: BoundColumn, of group: Int, rows: [UInt32], into vector: inout ColumnVector
    ) throws(StoreError) {
        switch column {
        case .property(let property):
            let page = try self.column(property, of: group)
            rows.withUnsafeBufferPointer { page.gather($0, into: &vector) }
        case .output: preconditionFailure("contract")
        case .rowID:
            let view = groups[group]
            let first = Int64(clamping: view.firstRowID.rawValue)
            guard let offsets = try view.rowIDOffsets() else {
                for row in rows { vector.ints.append(first &+ Int64(row)) }
                vector.count += rows.count
                return
            }
            let start = vector.count
            rows.withUnsafeBufferPointer { offsets.gather($0, into: &vector) }
            for index in start..<vector.count { vector.ints[index] &+= first }
        }
    }

    /// Appends the values of consecutive rows.
    func decode(
        _ column: BoundColumn, of group: Int, rows: Range<Int>, into vector: inout ColumnVector
    ) throws(StoreError) {
        if case .property(let property) = column {
            try self.column(property, of: group).decode(rows, into: &vector)
        } else {
            try gather(column, of: group, rows: rows.map { UInt32($0) }, into: &vector)
        }
    }
}
