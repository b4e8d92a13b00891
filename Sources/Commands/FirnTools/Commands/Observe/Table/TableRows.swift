import FirnEngine
import FirnFormats
import FirnQuery
import FirnValues

/// Some objects as the cells of a table.
struct TableRows {
    struct Row {
        let id: RowID
        /// One text per column, free of control characters; `nil` for null.
        let cells: [String?]
    }

    struct Column {
        let name: String
        let alignsRight: Bool
        /// Whether values can be truncated; numbers cannot, because the result would be another
        /// number.
        let canShorten: Bool
    }

    var columns: [Column] = []
    var rows: [Row] = []

    init() {}

    /// - Parameter ids: the objects, which exist, each once.
    init(
        _ ids: [RowID], _ shape: ObjectShape, in contents: RowContents
    ) throws(QueryFailure) {
        let result = try contents.columns(of: ids, shape)
        var options = ValueOptions()
        options.linkStyle = .plain
        let resolver = ResultResolver(
            result.columns, lookup: contents.lookup, options)
        columns = resolver.columns.map { column in
            let form = ColumnForm(of: column)
            return Column(
                name: SafeText.escaping(column.name), alignsRight: form.isNumeric,
                canShorten: form.isText)
        }
        let raw = RawBatch(resolver.columns)
        var cell = CellText()
        while let found = try result.next() {
            do { raw.load(try resolver.resolve(found)) } catch { throw .store(error) }
            for row in 0..<raw.rowCount where rows.count < ids.count {
                var cells: [String?] = []
                for index in columns.indices {
                    guard !raw.columns[index].isNull(row) else {
                        cells.append(nil)
                        continue
                    }
                    cell.render(raw.columns[index], row: row)
                    cells.append(String(decoding: cell.bytes, as: UTF8.self))
                }
                rows.append(Row(id: ids[rows.count], cells: cells))
            }
        }
    }
}
