package import FirnCodec
package import FirnValues

/// A few objects of a class, wherever they stand, to be read as columns of their own.
///
/// Reading a column costs what the few values cost: neither are the other row groups opened, nor are
/// the changes of the overlay laid over whole pages for it.
package struct PickedRows: Sendable {
    private struct Place: Sendable {
        let group: RowGroupView
        let index: Int
    }

    /// Of the objects that exist, in the order in which they were asked for.
    package private(set) var rowIDs: [RowID] = []
    private var places: [Place] = []
    private let pages: PageStore

    fileprivate init(_ rows: [RowID], in table: Table) throws(StoreError) {
        pages = table.directory.pages
        for row in rows {
            guard let (group, index) = try table.locate(row) else { continue }
            rowIDs.append(row)
            places.append(Place(group: group, index: index))
        }
    }

    /// The values of a property that has single values; a link is the row id of its target.
    package func column(_ property: PropertySchema) throws(StoreError) -> ColumnPage {
        let values = try values(of: property)
        return try pages.coding { () throws(CodecError) in
            let builder = ColumnBuilder(kind: property.columnKind)
            for value in values { try builder.append(property.type.toColumn(value)) }
            return try builder.makePage()
        }
    }

    /// The values of a property, one by one.
    package func values(of property: PropertySchema) throws(StoreError) -> [Value] {
        try places.map { place throws(StoreError) in
            try place.group.value(of: property, at: place.index)
        }
    }

    /// The collections of a property; large ones are not read.
    package func collection(_ property: PropertySchema) throws(StoreError) -> CollectionColumn {
        let views = try places.map { place throws(StoreError) in
            try place.group.collectionView(property, at: place.index)
        }
        return try pages.coding { () throws(CodecError) in
            let builder = CollectionBuilder(property)
            for view in views {
                switch view.form {
                case .inline(let value): try builder.append(value)
                case .stored(let large): builder.append(outOfLine: .stored(large))
                case .edited(let large): builder.append(outOfLine: .edited(large))
                }
            }
            return try builder.makeColumn()
        }
    }
}

extension Table {
    /// Finds some objects; those that do not exist are left out.
    ///
    /// - Complexity: O(log objects) for each
    package func pick(_ rows: [RowID]) throws(StoreError) -> PickedRows {
        try PickedRows(rows, in: self)
    }
}
