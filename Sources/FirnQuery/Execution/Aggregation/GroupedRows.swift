import FirnCodec
import FirnEngine
import FirnValues

/// The rows that `group` produces: one per combination of key values, ordered by first occurrence.
///
/// The rows are computed on first access. They are stored in pages like those of a table, so that
/// every operator works on them. Memory grows only with the number of groups.
final class GroupedRows: RowSource {
    /// The number of rows in a page.
    private static let rowsPerPage = 16_384

    let path: String
    private let items: () throws(StoreError) -> [ColumnVector]
    /// One page per item and the row count for each row group; `nil` before the first access.
    private var groups: [(pages: [ColumnPage], rowCount: Int)]?

    /// - Parameter items: returns one vector per item, each with a value for every group.
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

    func groupCount() throws(StoreError) -> Int {
        if let groups { return groups.count }
        let made = try pages(of: try items())
        groups = made
        return made.count
    }

    private func pages(
        of columns: [ColumnVector]
    ) throws(StoreError) -> [(pages: [ColumnPage], rowCount: Int)] {
        let count = columns.first?.count ?? 0
        var groups: [(pages: [ColumnPage], rowCount: Int)] = []
        var start = 0
        while start < count {
            let end = min(count, start + Self.rowsPerPage)
            let pages = try columns.map { column throws(StoreError) in
                try page(of: column, start..<end)
            }
            groups.append((pages, end - start))
            start = end
        }
        return groups
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

    func rowCount(of group: Int) -> Int { groups?[group].rowCount ?? 0 }

    func liveRows(of group: Int) -> Bitmap? { nil }

    func zone(_ column: BoundColumn, of group: Int) -> ZoneMap? { nil }

    func page(_ column: BoundColumn, of group: Int) throws(StoreError) -> ColumnPage? {
        guard case .output(let index, _, _, _) = column else { return nil }
        return groups?[group].pages[index]
    }

    func gatherIDs(of group: Int, rows: [UInt32], into vector: inout ColumnVector) {
        preconditionFailure("the rows of a group have no identity")
    }

    func collection(_ property: PropertySchema, of group: Int) -> CollectionColumn {
        preconditionFailure("the rows of a group have no collections")
    }
}
