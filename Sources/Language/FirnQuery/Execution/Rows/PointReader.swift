import FirnCodec
import FirnEngine
import FirnValues

/// Reads individual objects of a class, for queries about a few objects among many.
///
/// Objects that are requested together form a group, whose columns contain only their values.
final class PointReader: ObjectSource, ObjectLocator {
    private struct Group {
        let rows: PickedRows
        var pages: [PropertyID: ColumnPage] = [:]
        var collections: [PropertyID: CollectionColumn] = [:]
    }

    /// The maximum number of rows in a group.
    ///
    /// Larger requests are split.
    private static let groupRowCount = 8_192

    let schema: ClassSchema
    var isOnDemand: Bool { true }
    let path: String
    private let table: Table
    private var groups: [Group] = []
    /// The location of each requested row; `nil` if the row does not exist.
    private var references: [RowID: RowReference?] = [:]

    init(_ schema: ClassSchema, _ table: Table, path: String) {
        self.schema = schema
        self.table = table
        self.path = path
    }

    // MARK: Location

    var objects: any ObjectSource { self }

    func locate(_ ids: ColumnVector) throws(StoreError) -> LocatedRows {
        let rows = (0..<ids.count).map { position in
            ids.isNull(position) ? nil : RowID(UInt64(bitPattern: ids.ints[position]))
        }
        try pick(rows.compactMap { $0 })
        var located = LocatedRows()
        for (position, row) in rows.enumerated() {
            guard let row, let reference = references[row] ?? nil else { continue }
            located.positions.append(UInt32(truncatingIfNeeded: position))
            located.references.append(reference)
        }
        return located
    }

    /// Returns the locations of the objects that exist.
    func locate(_ rows: [RowID]) throws(StoreError) -> [RowReference] {
        try pick(rows)
        return rows.compactMap { references[$0] ?? nil }
    }

    /// Reads the rows that have not been requested before into new groups.
    private func pick(_ rows: [RowID]) throws(StoreError) {
        var unknown: [RowID] = []
        for row in rows where !references.keys.contains(row) {
            references[row] = .some(nil)
            unknown.append(row)
        }
        var rest = unknown[...]
        while !rest.isEmpty {
            let found = try table.pick(Array(rest.prefix(Self.groupRowCount)))
            rest = rest.dropFirst(Self.groupRowCount)
            let group = UInt32(truncatingIfNeeded: groups.count)
            for (index, row) in found.rowIDs.enumerated() {
                references[row] = RowReference(group: group, row: UInt32(truncatingIfNeeded: index))
            }
            groups.append(Group(rows: found))
        }
    }

    // MARK: Rows

    func groupCount() -> Int { groups.count }

    func rowCount(of group: Int) -> Int { groups[group].rows.rowIDs.count }

    func liveRows(of group: Int) -> Bitmap? { nil }

    /// Returns `nil`, because testing the few values is as fast as testing a zone map.
    func zone(_ column: BoundColumn, of group: Int) -> ZoneMap? { nil }

    func page(_ column: BoundColumn, of group: Int) throws(StoreError) -> ColumnPage? {
        guard case .property(let property) = column else { return nil }
        if let page = groups[group].pages[property.id] { return page }
        let page = try groups[group].rows.column(property)
        groups[group].pages[property.id] = page
        return page
    }

    func gatherIDs(of group: Int, rows: [UInt32], into vector: inout ColumnVector) {
        let ids = groups[group].rows.rowIDs
        for row in rows { vector.ints.append(Int64(clamping: ids[Int(row)].rawValue)) }
        vector.count += rows.count
    }

    func collection(
        _ property: PropertySchema, of group: Int
    ) throws(StoreError) -> CollectionColumn {
        if let column = groups[group].collections[property.id] { return column }
        let column = try groups[group].rows.collection(property)
        groups[group].collections[property.id] = column
        return column
    }
}
