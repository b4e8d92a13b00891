import FirnCodec
import FirnValues

/// Merging small groups and their changes.
extension MemoryRowGroup {
    /// The number of rows at which a group is stored as columns, which take a fraction of the
    /// memory.
    static let columnRowCount = 1024

    /// Returns one group with the existing rows of several groups.
    ///
    /// - Parameter views: Views of groups in memory, in the order of their rows.
    /// - Returns: `nil` if no row is left.
    /// - Complexity: O(rows)
    static func merged(_ views: [RowGroupView], _ schema: ClassSchema) throws(StoreError)
        -> MemoryRowGroup?
    {
        guard let pages = views.first?.pages else { return nil }
        let rowCount = views.reduce(0) { $0 + $1.rowCount }
        if rowCount < columnRowCount, let block = block(of: views, schema) {
            return block.rowCount == 0 ? nil : MemoryRowGroup(block)
        }
        var live: [[UInt32]] = []
        var rowIDs: [RowID] = []
        for view in views {
            let rows = try view.existingRows()
            for row in rows { rowIDs.append(try view.rowID(at: Int(row))) }
            live.append(rows)
        }
        guard let first = rowIDs.first, let last = rowIDs.last else { return nil }
        var columns = Columns()
        if last.rawValue - first.rawValue != UInt64(rowIDs.count - 1) {
            columns.rowIDs = try pages.whileCoding { () throws(CodecError) in
                let builder = ColumnBuilder(kind: .int)
                for id in rowIDs { builder.append(int: Int64(id.rawValue - first.rawValue)) }
                return try builder.makePage()
            }
        }
        for property in schema.properties {
            if property.type.container == .single {
                columns.single[property.id] = try column(property, views, live, pages)
            } else {
                columns.collections[property.id] = try collection(property, views, live, pages)
            }
        }
        return MemoryRowGroup(firstRowID: first, rowCount: rowIDs.count, columns)
    }

    /// Returns the rows as values, or `nil` if some are columns or have edited large collections.
    private static func block(of views: [RowGroupView], _ schema: ClassSchema) -> RowBlock? {
        var result = RowBlock(properties: schema.properties)
        result.reserve(views.reduce(0) { $0 + $1.rowCount })
        for view in views {
            guard case .memory(let group) = view.source, let block = group.block,
                view.patch?.edited.isEmpty ?? true, view.patch?.columns.isEmpty ?? true
            else { return nil }
            let isSame =
                block.properties.elementsEqual(schema.properties) { $0.id == $1.id }
            if isSame, view.patch == nil {
                result.append(block)
                continue
            }
            let columns = schema.properties.map { block.index(of: $0.id) }
            for row in 0..<block.rowCount where view.patch?.deleted.contains(UInt32(row)) != true {
                var values: [Value] = []
                for (property, column) in zip(schema.properties, columns) {
                    let changed = view.patch?.values[property.id]?[UInt32(row)]
                    let own = column.map { block.value(at: row, $0) }
                    values.append(
                        changed ?? own ?? view.record.defaultValues[property.id]
                            ?? property.type.emptyCollection)
                }
                result.append(values, at: block.rowIDs[row])
            }
        }
        return result
    }

    private static func column(
        _ property: PropertySchema, _ views: [RowGroupView], _ live: [[UInt32]], _ pages: PageStore
    ) throws(StoreError) -> ColumnPage {
        let builder = ColumnBuilder(kind: property.columnKind)
        for (view, rows) in zip(views, live) {
            let column = try PropertyColumn(property, of: view)
            try pages.coding(column.append(rows[...], to: builder))
        }
        return try pages.coding(builder.makePage())
    }

    private static func collection(
        _ property: PropertySchema, _ views: [RowGroupView], _ live: [[UInt32]], _ pages: PageStore
    ) throws(StoreError) -> CollectionColumn {
        let builder = CollectionBuilder(property)
        for (view, rows) in zip(views, live) {
            let column = try view.collection(property)
            for row in rows {
                if let large = column.outOfLine[row] {
                    builder.append(outOfLine: large)
                } else {
                    builder.append(column, row: Int(row))
                }
            }
        }
        return try pages.coding(builder.makeColumn())
    }
}

extension RowGroupView {
    /// Returns the indices of the rows that exist.
    func existingRows() throws(StoreError) -> [UInt32] {
        guard let live = try liveRows() else { return Array(0..<UInt32(rowCount)) }
        var rows: [UInt32] = []
        live.appendRows(to: &rows)
        return rows
    }
}
