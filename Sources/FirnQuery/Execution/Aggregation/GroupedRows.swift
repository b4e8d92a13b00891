import FirnCodec
import FirnEngine
import FirnValues

/// Rows that a stage has produced and that are kept in memory: those of `group`, one per combination
/// of key values and ordered by first occurrence, or rows with values of other rows.
///
/// The rows are computed on first access. A page of a column is only built for aggregates over all
/// rows, which take one call per page.
final class GroupedRows: RowSource {
    /// The number of rows in a page.
    static let rowsPerPage = 16_384

    let path: String
    private let items: () throws(StoreError) -> [ColumnVector]
    /// One vector per item, which is empty if no later stage uses it; `nil` before the first access.
    private var columns: [ColumnVector]?
    private var count = 0
    private var pages: [PageKey: ColumnPage] = [:]

    private struct PageKey: Hashable {
        let column: Int
        let group: Int
    }

    /// - Parameter items: returns one vector per item, each with a value for every row.
    init(path: String, items: @escaping () throws(StoreError) -> [ColumnVector]) {
        self.path = path
        self.items = items
    }

    /// Creates the groups of the rows of a stream.
    convenience init(
        _ stream: any RowStream, keys: [BoundProjection], items: [BoundGroupItem],
        _ evaluator: ExpressionEvaluator
    ) {
        self.init(path: evaluator.source.path) { () throws(StoreError) in
            var grouping = Grouping(keys: keys, items: items, evaluator)
            while let batch = try stream.next() { try grouping.add(batch) }
            return try grouping.columns()
        }
    }

    /// Creates the groups of the rows of a scan.
    convenience init(
        _ scan: PartitionedScan, keys: [BoundProjection], items: [BoundGroupItem], path: String
    ) {
        self.init(path: path) { () throws(StoreError) in
            try scan.consume { Grouping(keys: keys, items: items, $0) }.columns()
        }
    }

    private func rowCount() throws(StoreError) -> Int {
        if columns != nil { return count }
        let made = try items()
        columns = made
        count = made.lazy.map(\.count).max() ?? 0
        return count
    }

    let hasPages = false

    func groupCount() throws(StoreError) -> Int {
        (try rowCount() + Self.rowsPerPage - 1) / Self.rowsPerPage
    }

    func rowCount(of group: Int) -> Int {
        min(Self.rowsPerPage, count - group * Self.rowsPerPage)
    }

    func liveRows(of group: Int) -> Bitmap? { nil }

    func zone(_ column: BoundColumn, of group: Int) -> ZoneMap? { nil }

    func page(_ column: BoundColumn, of group: Int) throws(StoreError) -> ColumnPage? {
        guard case .output(let index, _, _, _) = column, let columns else { return nil }
        let key = PageKey(column: index, group: group)
        if let page = pages[key] { return page }
        let start = group * Self.rowsPerPage
        let page = try page(of: columns[index], start..<start + rowCount(of: group))
        pages[key] = page
        return page
    }

    private func page(
        of column: ColumnVector, _ rows: Range<Int>
    ) throws(StoreError) -> ColumnPage {
        let builder = ColumnBuilder(kind: column.kind)
        do {
            for row in rows { try builder.append(column.value(at: row)) }
            return try builder.makePage()
        } catch {
            throw StoreError(
                .limitExceeded, path: path,
                detail: "the keys of \(rows.count) groups are too large for one page")
        }
    }

    func gather(
        _ column: BoundColumn, of group: Int, rows: [UInt32], into vector: inout ColumnVector
    ) {
        guard case .output(let index, _, _, _) = column, let columns else { return }
        let start = UInt32(truncatingIfNeeded: group * Self.rowsPerPage)
        vector.append(columns[index], rows: start == 0 ? rows[...] : rows.map { $0 + start }[...])
    }

    func decode(
        _ column: BoundColumn, of group: Int, rows: Range<Int>, into vector: inout ColumnVector
    ) {
        gather(
            column, of: group, rows: rows.map { UInt32(truncatingIfNeeded: $0) }, into: &vector)
    }

    func gatherIDs(of group: Int, rows: [UInt32], into vector: inout ColumnVector) {
        preconditionFailure("the rows of a group have no identity")
    }

    func collection(_ property: PropertySchema, of group: Int) -> CollectionColumn {
        preconditionFailure("the rows of a group have no collections")
    }
}
