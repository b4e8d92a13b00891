import FirnCodec
import FirnEngine
import FirnValues

/// The row groups of a class that an execution reads, and what was read of them.
final class TableScanner: ObjectSource {
    let schema: ClassSchema
    let groups: [RowGroupView]
    let path: String
    /// Whether whoever asked has given up.
    private let isStopped: () -> Bool
    private var pagesSeen: Set<PageKey> = []
    /// The page of each column that was used last: batches of one group come one after the other,
    /// and a page with changes laid over it is costly to make.
    private var latest: [PropertyID: (group: Int, page: ColumnPage)] = [:]
    private var latestCollections: [PropertyID: (group: Int, column: CollectionColumn)] = [:]

    private struct PageKey: Hashable {
        let group: Int
        let property: PropertyID
    }

    /// All groups of a class, or those that a search by key led to.
    init(
        _ schema: ClassSchema, _ groups: [RowGroupView], path: String,
        isStopped: @escaping () -> Bool = { false }
    ) {
        self.isStopped = isStopped
        self.schema = schema
        self.groups = groups
        self.path = path
    }

    /// Column pages that were looked at.
    var pagesRead: Int { pagesSeen.count }

    /// All rows, deleted ones included.
    var rowCount: Int { groups.reduce(0) { $0 + $1.rowCount } }

    /// Whether an object, if it exists, is in a group.
    func mayHold(_ row: RowID, _ group: Int) -> Bool {
        groups.indices.contains(group) && groups[group].firstRowID <= row
            && (group + 1 == groups.count || groups[group + 1].firstRowID > row)
    }

    /// The group that an object is in, if it exists; the first if it is before all of them.
    ///
    /// - Complexity: O(log groups)
    func group(of row: RowID) -> Int {
        var low = 0
        var high = groups.count
        while low < high {
            let middle = (low + high) / 2
            if groups[middle].firstRowID <= row { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    func groupCount() -> Int { groups.count }

    func rowCount(of group: Int) -> Int { groups[group].rowCount }

    /// Each group that is looked at asks for this, whatever is read of it.
    func liveRows(of group: Int) throws(StoreError) -> Bitmap? {
        try checkStop()
        return try groups[group].liveRows()
    }

    private func checkStop() throws(StoreError) {
        guard isStopped() else { return }
        throw StoreError(.cancelled, path: path, detail: "the query was given up")
    }

    func page(_ column: BoundColumn, of group: Int) throws(StoreError) -> ColumnPage? {
        guard case .property(let property) = column else { return nil }
        if let latest = latest[property.id], latest.group == group { return latest.page }
        try checkStop()
        let page = try groups[group].column(property)
        pagesSeen.insert(PageKey(group: group, property: property.id))
        latest[property.id] = (group, page)
        return page
    }

    func zone(_ column: BoundColumn, of group: Int) throws(StoreError) -> ZoneMap? {
        let view = groups[group]
        if case .property(let property) = column { return view.zone(of: property) }
        var zone = ZoneMap(rowCount: view.rowCount, nullCount: 0)
        zone.minimum = .int(Int64(clamping: view.firstRowID.rawValue))
        zone.maximum = .int(Int64(clamping: try view.rowID(at: view.rowCount - 1).rawValue))
        return zone
    }

    func gatherIDs(
        of group: Int, rows: [UInt32], into vector: inout ColumnVector
    ) throws(StoreError) {
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

    func collection(
        _ property: PropertySchema, of group: Int
    ) throws(StoreError) -> CollectionColumn {
        if let latest = latestCollections[property.id], latest.group == group {
            return latest.column
        }
        try checkStop()
        let column = try groups[group].collection(property)
        pagesSeen.insert(PageKey(group: group, property: property.id))
        latestCollections[property.id] = (group, column)
        return column
    }
}
