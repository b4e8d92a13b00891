import FirnCodec
import FirnEngine
import FirnValues

/// Rows that operators read group by group: objects of a class, or rows that an earlier stage
/// produced.
///
/// Each execution has its own source, which is confined to one thread.
protocol RowSource: AnyObject {
    /// The path of the file, for errors.
    var path: String { get }
    /// The row groups of a class, if these are the rows: only such rows can be read by other
    /// threads, and one by one.
    var scanner: TableScanner? { get }
    /// Whether the rows become known only when they are requested.
    var isOnDemand: Bool { get }
    /// Whether conditions are tested on pages, instead of on the values of the rows.
    var hasPages: Bool { get }
    /// Returns the number of groups.
    ///
    /// Produces the rows first if necessary.
    func groupCount() throws(StoreError) -> Int
    /// Returns the number of rows in a group, deleted rows included.
    func rowCount(of group: Int) -> Int
    /// Returns the existing rows of a group, or `nil` if no row is deleted.
    func liveRows(of group: Int) throws(StoreError) -> Bitmap?
    /// Returns what is known about a column of a group without reading it.
    func zone(_ column: BoundColumn, of group: Int) throws(StoreError) -> ZoneMap?
    /// Returns the page of a column, or `nil` for `@id`, which has no page.
    func page(_ column: BoundColumn, of group: Int) throws(StoreError) -> ColumnPage?
    /// Returns a page of a column whose codes are faster to read than its values; `nil` if there is
    /// none.
    func codedPage(_ column: BoundColumn, of group: Int) throws(StoreError) -> ColumnPage?
    /// Appends the values of the given rows.
    func gather(
        _ column: BoundColumn, of group: Int, rows: [UInt32], into vector: inout ColumnVector
    ) throws(StoreError)
    /// Appends the values of consecutive rows.
    func decode(
        _ column: BoundColumn, of group: Int, rows: Range<Int>, into vector: inout ColumnVector
    ) throws(StoreError)
    /// Appends the `@id` of the given rows.
    func gatherIDs(
        of group: Int, rows: [UInt32], into vector: inout ColumnVector
    ) throws(StoreError)
    /// Returns the collections of a property.
    func collection(
        _ property: PropertySchema, of group: Int
    ) throws(StoreError) -> CollectionColumn
}

extension RowSource {
    var scanner: TableScanner? { nil }
    var isOnDemand: Bool { false }
    var hasPages: Bool { true }

    func codedPage(_ column: BoundColumn, of group: Int) throws(StoreError) -> ColumnPage? {
        try scanner?.page(column, of: group)
    }

    /// Returns the number of rows of all groups.
    func rowCount() throws(StoreError) -> Int {
        var count = 0
        for group in 0..<(try groupCount()) { count += rowCount(of: group) }
        return count
    }

    /// Returns the number of parts that the rows are divided into on disk.
    func partCount() throws(StoreError) -> Int {
        KeyPartitions.partCount(forRows: try rowCount())
    }

    /// Appends the values of the given rows.
    func gather(
        _ column: BoundColumn, of group: Int, rows: [UInt32], into vector: inout ColumnVector
    ) throws(StoreError) {
        guard let page = try page(column, of: group) else {
            return try gatherIDs(of: group, rows: rows, into: &vector)
        }
        rows.withUnsafeBufferPointer { page.gather($0, into: &vector) }
    }

    /// Appends the values of consecutive rows.
    func decode(
        _ column: BoundColumn, of group: Int, rows: Range<Int>, into vector: inout ColumnVector
    ) throws(StoreError) {
        guard let page = try page(column, of: group) else {
            return try gatherIDs(of: group, rows: rows.map { UInt32($0) }, into: &vector)
        }
        page.decode(rows, into: &vector)
    }
}

/// A row source whose rows are objects of a class.
protocol ObjectSource: RowSource {
    var schema: ClassSchema { get }
}

/// Finds objects of a class by their row ids.
protocol ObjectLocator: AnyObject {
    /// The source that the locations refer to.
    var objects: any ObjectSource { get }

    /// Returns the locations of the objects that exist, each with the position of its id.
    ///
    /// - Parameter ids: row ids as integers; null refers to no object.
    func locate(_ ids: ColumnVector) throws(StoreError) -> LocatedRows
}
