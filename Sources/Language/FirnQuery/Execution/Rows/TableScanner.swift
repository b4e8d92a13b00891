import FirnCodec
import FirnEngine
import FirnValues

/// The row groups of a class that an execution reads, with counts of the pages read.
final class TableScanner: ObjectSource {
    let schema: ClassSchema
    let groups: [RowGroupView]
    let path: String
    /// Whether the caller has cancelled the query.
    private let isStopped: () -> Bool
    private var pagesSeen: Set<PageKey> = []
    /// The groups that were read, and the number of their rows.
    private var visited: (groups: Set<Int>, rowCount: Int) = ([], 0)
    /// The most recently used page of each column.
    ///
    /// Consecutive batches are usually from the same group, and a page with an overlay is expensive
    /// to build.
    private var latest: [PropertyID: (group: Int, page: ColumnPage)] = [:]
    private var latestCollections: [PropertyID: (group: Int, column: CollectionColumn)] = [:]

    private lazy var picker = PagePicker()
    /// The number of rows of a group up to which they are read one by one.
    private static let pickedRowCountMax = 32

    private struct PageKey: Hashable {
        let group: Int
        let property: PropertyID
    }

    /// Creates a scanner for all groups of a class, or for the groups that a key lookup found.
    init(
        _ schema: ClassSchema, _ groups: [RowGroupView], path: String,
        isStopped: @escaping () -> Bool = { false }
    ) {
        self.isStopped = isStopped
        self.schema = schema
        self.groups = groups
        self.path = path
    }

    var scanner: TableScanner? { self }

    /// The number of column pages that were read.
    var pagesRead: Int { pagesSeen.count }

    /// The number of rows in the groups that were read, deleted rows included.
    var visitedRowCount: Int { visited.rowCount }

    /// Adds what another scanner of the same groups has read.
    func noteReads(of other: TableScanner) {
        pagesSeen.formUnion(other.pagesSeen)
        for group in other.visited.groups where visited.groups.insert(group).inserted {
            visited.rowCount += groups[group].rowCount
        }
    }

    /// The number of rows, deleted rows included.
    var rowCount: Int { groups.reduce(0) { $0 + $1.rowCount } }

    /// Returns whether a group contains an object, provided that the object exists.
    func mayHold(_ row: RowID, _ group: Int) -> Bool {
        groups.indices.contains(group) && groups[group].firstRowID <= row
            && (group + 1 == groups.count || groups[group + 1].firstRowID > row)
    }

    /// Returns the group that contains an object, provided that the object exists.
    ///
    /// If the id precedes all groups, the result is the first group.
    ///
    /// - Complexity: O(log groups)
    func group(of row: RowID) -> Int {
        max(0, groups.partitioningIndex { $0.firstRowID > row } - 1)
    }

    func groupCount() -> Int { groups.count }

    func rowCount(of group: Int) -> Int { groups[group].rowCount }

    /// Returns the live rows of a group, after a check for cancellation.
    ///
    /// Every access to a group begins with this call.
    func liveRows(of group: Int) throws(StoreError) -> Bitmap? {
        try checkStop()
        if visited.groups.insert(group).inserted { visited.rowCount += groups[group].rowCount }
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

    /// Appends the values of rows that are not requested again soon, such as the rows of a result.
    func gatherOnce(
        _ column: BoundColumn, of group: Int, rows: [UInt32], into vector: inout ColumnVector
    ) throws(StoreError) {
        if case .property(let property) = column, rows.count <= Self.pickedRowCountMax,
            latest[property.id]?.group != group,
            try groups[group].pick(rows, of: property, with: picker, to: &vector)
        {
            try checkStop()
            pagesSeen.insert(PageKey(group: group, property: property.id))
            return
        }
        try gather(column, of: group, rows: rows, into: &vector)
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
