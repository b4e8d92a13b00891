import FirnCodec
import FirnValues

/// Up to ``maximumRowCount`` consecutive objects of a class, column by column.
///
/// Rows keep the order of their row ids. While no id in between is missing, the ids are
/// `firstRowID + index`; otherwise they are a column of their own. A deleted row keeps its index
/// and is marked, until half of the rows are deleted and the group is rewritten.
///
/// A row group is immutable. It is a class because every access to a row holds it.
final class RowGroup: Hashable, Sendable {
    /// The limit of the format; the limit for new row groups is in the superblock.
    static let maximumRowCount = Superblock.rowsPerGroupMaximum

    let firstRowID: RowID
    /// The number of rows including the deleted ones, at least 1.
    let rowCount: Int
    /// The ids of the rows less ``firstRowID``, as an Int column; `nil` while they are dense.
    let rowIDs: PageReference?
    let deletedCount: Int
    /// One bit per row, set if it is deleted; `nil` while no row is deleted.
    let deleted: PageReference?
    /// The columns; a property that was added after the group was written has none.
    let packed: StoredColumns

    convenience init(
        firstRowID: RowID, rowCount: Int, rowIDs: PageReference?, deletedCount: Int,
        deleted: PageReference?, columns: [StoredColumn]
    ) {
        self.init(
            firstRowID: firstRowID, rowCount: rowCount, rowIDs: rowIDs,
            deletedCount: deletedCount, deleted: deleted, StoredColumns(columns))
    }

    init(
        firstRowID: RowID, rowCount: Int, rowIDs: PageReference?, deletedCount: Int,
        deleted: PageReference?, _ columns: StoredColumns
    ) {
        self.firstRowID = firstRowID
        self.rowCount = rowCount
        self.rowIDs = rowIDs
        self.deletedCount = deletedCount
        self.deleted = deleted
        packed = columns
    }

    var liveRowCount: Int { rowCount - deletedCount }

    /// The columns, ascending by property, then part.
    ///
    /// - Complexity: O(columns)
    var columns: [StoredColumn] { packed.all }

    func column(_ property: PropertyID, _ part: ColumnPart = .values) -> StoredColumn? {
        packed[property, part]
    }

    /// Returns the reference of the page of a column.
    func reference(_ property: PropertyID) -> PageReference? {
        packed.reference(property, .values)
    }

    /// Returns the smallest value of a column without nils, if the zone map contains it.
    func minimum(of property: PropertyID) -> Value? {
        guard let zone = column(property)?.zone, zone.nullCount == 0 else { return nil }
        return zone.minimum
    }

    /// All extents that only this group uses.
    var extents: [Extent] {
        columns.map(\.reference.extent) + [rowIDs?.extent, deleted?.extent].compactMap { $0 }
    }

    static func == (left: RowGroup, right: RowGroup) -> Bool {
        left === right
            || left.firstRowID == right.firstRowID && left.rowCount == right.rowCount
                && left.rowIDs == right.rowIDs && left.deletedCount == right.deletedCount
                && left.deleted == right.deleted && left.packed == right.packed
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(firstRowID)
        hasher.combine(rowCount)
        hasher.combine(packed)
    }
}

/// One column of a row group on disk.
struct StoredColumn: Hashable, Sendable {
    let property: PropertyID
    var part = ColumnPart.values
    let reference: PageReference
    let zone: ZoneMap
    let encoding: PageEncoding
    /// The size of the values without encoding, for statistics.
    let rawByteCount: UInt32
}
