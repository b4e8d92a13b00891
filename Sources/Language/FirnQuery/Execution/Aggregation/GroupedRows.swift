import FirnCodec
import FirnEngine
import FirnValues

/// Rows that a stage has produced and keeps: the rows of a `group`, one per combination of key
/// values, ordered by first occurrence, or rows with values of other rows.
///
/// The rows are computed on first access. A page of a column is only built for aggregates over all
/// rows, which take one call per page.
final class GroupedRows: RowSource {
    /// The number of rows in a page.
    static let rowsPerPage = PagedRows.rowsPerPage

    /// The rows: one vector per item, which is empty if no later stage uses the item; or pages,
    /// which may be on disk.
    enum Content {
        case memory([ColumnVector])
        case pages(PagedRows)
    }

    let path: String
    private let make: () throws(StoreError) -> Content
    /// `nil` before the first access.
    private var content: Content?
    /// The number of rows in memory.
    private var count = 0
    /// The last page of each column that was built.
    private var pages: [Int: (group: Int, page: ColumnPage)] = [:]

    /// - Parameter make: returns the rows.
    init(path: String, make: @escaping () throws(StoreError) -> Content) {
        self.path = path
        self.make = make
    }

    /// - Parameter items: returns one vector per item, each with a value for every row.
    convenience init(path: String, items: @escaping () throws(StoreError) -> [ColumnVector]) {
        self.init(path: path) { () throws(StoreError) in .memory(try items()) }
    }

    private func made() throws(StoreError) -> Content {
        if let content { return content }
        let made = try make()
        content = made
        if case .memory(let columns) = made { count = columns.lazy.map(\.count).max() ?? 0 }
        return made
    }

    let hasPages = false

    func groupCount() throws(StoreError) -> Int {
        switch try made() {
        case .memory: (count + Self.rowsPerPage - 1) / Self.rowsPerPage
        case .pages(let rows): rows.pages.count
        }
    }

    func rowCount(of group: Int) -> Int {
        if case .pages(let rows)? = content { return rows.pages[group].rowCount }
        return min(Self.rowsPerPage, count - group * Self.rowsPerPage)
    }

    func liveRows(of group: Int) -> Bitmap? { nil }

    func zone(_ column: BoundColumn, of group: Int) -> ZoneMap? { nil }

    func page(_ column: BoundColumn, of group: Int) throws(StoreError) -> ColumnPage? {
        guard case .output(let index, _, _, _) = column else { return nil }
        if let latest = pages[index], latest.group == group { return latest.page }
        let page = try page(of: try values(index, of: group))
        pages[index] = (group, page)
        return page
    }

    func codedPage(_ column: BoundColumn, of group: Int) throws(StoreError) -> ColumnPage? {
        guard case .output(let index, _, _, _) = column, case .pages(let rows) = try made() else {
            return nil
        }
        return rows.codedPage(index, of: group)
    }

    private func values(_ index: Int, of group: Int) throws(StoreError) -> ColumnVector {
        switch try made() {
        case .memory(let columns):
            let start = group * Self.rowsPerPage
            let rows = (start..<start + rowCount(of: group)).map { UInt32(truncatingIfNeeded: $0) }
            var values = columns[index].emptied
            values.append(columns[index], rows: rows[...])
            return values
        case .pages(let spilled): return try spilled.vector(index, of: group)
        }
    }

    private func page(of column: ColumnVector) throws(StoreError) -> ColumnPage {
        let builder = ColumnBuilder(kind: column.kind)
        builder.append(column, rows: 0..<column.count)
        do {
            return try builder.makePage()
        } catch {
            throw StoreError(
                .limitExceeded, path: path,
                detail: "the keys of \(column.count) groups are too large for one page")
        }
    }

    func gather(
        _ column: BoundColumn, of group: Int, rows: [UInt32], into vector: inout ColumnVector
    ) throws(StoreError) {
        guard case .output(let index, _, _, _) = column else { return }
        switch try made() {
        case .memory(let columns):
            let start = UInt32(truncatingIfNeeded: group * Self.rowsPerPage)
            vector.append(
                columns[index], rows: start == 0 ? rows[...] : rows.map { $0 + start }[...])
        case .pages(let spilled):
            vector.append(try spilled.vector(index, of: group), rows: rows[...])
        }
    }

    func decode(
        _ column: BoundColumn, of group: Int, rows: Range<Int>, into vector: inout ColumnVector
    ) throws(StoreError) {
        try gather(
            column, of: group, rows: rows.map { UInt32(truncatingIfNeeded: $0) }, into: &vector)
    }

    func gatherIDs(of group: Int, rows: [UInt32], into vector: inout ColumnVector) {
        preconditionFailure("the rows of a group have no identity")
    }

    func collection(_ property: PropertySchema, of group: Int) -> CollectionColumn {
        preconditionFailure("the rows of a group have no collections")
    }
}
