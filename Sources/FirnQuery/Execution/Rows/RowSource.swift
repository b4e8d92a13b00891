import FirnCodec
import FirnEngine
import FirnValues

/// Rows that operators read group by group: the objects of a class, or rows that an earlier stage
/// made.
///
/// One per execution; belongs to one thread.
protocol RowSource: AnyObject {
    /// The file, for errors.
    var path: String { get }
    /// How many groups there are; makes the rows if they are not there yet.
    func groupCount() throws(StoreError) -> Int
    /// How many rows a group has, deleted ones included.
    func rowCount(of group: Int) -> Int
    /// The rows of a group that exist; `nil` if all do.
    func liveRows(of group: Int) throws(StoreError) -> Bitmap?
    /// What is known of a column of a group without reading it.
    func zone(_ column: BoundColumn, of group: Int) throws(StoreError) -> ZoneMap?
    /// The page of a column; `nil` for `@id`, which has none.
    func page(_ column: BoundColumn, of group: Int) throws(StoreError) -> ColumnPage?
    /// Appends the `@id` of some rows.
    func gatherIDs(
        of group: Int, rows: [UInt32], into vector: inout ColumnVector
    ) throws(StoreError)
    /// The collections of a property.
    func collection(
        _ property: PropertySchema, of group: Int
    ) throws(StoreError) -> CollectionColumn
}

extension RowSource {
    /// Appends the values of some rows.
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

/// Rows that are objects of a class.
protocol ObjectSource: RowSource {
    var schema: ClassSchema { get }
}

/// Finds objects of a class by their row ids.
protocol ObjectLocator: AnyObject {
    /// What the places that are found are places in.
    var objects: any ObjectSource { get }

    /// The places of the objects that there are, and for each the position of its id.
    ///
    /// - Parameter ids: integers; null leads to no object.
    func locate(_ ids: ColumnVector) throws(StoreError) -> LocatedRows
}
