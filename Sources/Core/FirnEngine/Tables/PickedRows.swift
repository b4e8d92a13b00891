package import FirnCodec
package import FirnValues

/// A few objects of a class at arbitrary positions, to be read as separate columns.
///
/// Reading a column costs only as much as reading its values of these objects: other row groups are
/// not opened, and the changes of the overlay are not applied to whole pages.
package struct PickedRows: Sendable {
    private struct Location: Sendable {
        let group: RowGroupView
        let index: Int
    }

    /// The objects that exist, in the order in which they were requested.
    package private(set) var rowIDs: [RowID] = []
    private var locations: [Location] = []
    private let pages: PageStore

    fileprivate init(_ rows: [RowID], in table: Table) throws(StoreError) {
        pages = table.directory.pages
        for row in rows {
            guard let (group, index) = try table.locate(row) else { continue }
            rowIDs.append(row)
            locations.append(Location(group: group, index: index))
        }
    }

    /// Returns the values of a property with single values; a link is the row id of its target.
    package func column(_ property: PropertySchema) throws(StoreError) -> ColumnPage {
        let values = try values(of: property)
        return try pages.whileCoding { () throws(CodecError) in
            let builder = ColumnBuilder(kind: property.columnKind)
            for value in values { try builder.append(property.type.toColumn(value)) }
            return try builder.makePage()
        }
    }

    /// The number of row groups that contain the objects.
    package var groupCount: Int { Set(locations.map(\.group.firstRowID)).count }

    /// Appends the values of a property with single values to a vector of its kind.
    package func append(
        _ property: PropertySchema, with picker: PagePicker, to vector: inout ColumnVector
    ) throws(StoreError) {
        for location in locations {
            let isPicked = try location.group.pick(
                [UInt32(location.index)], of: property, with: picker, to: &vector)
            guard !isPicked else { continue }
            vector.append(try location.group.value(of: property, at: location.index))
        }
    }

    /// Returns the values of a property, one by one.
    package func values(of property: PropertySchema) throws(StoreError) -> [Value] {
        try locations.map { location throws(StoreError) in
            try location.group.value(of: property, at: location.index)
        }
    }

    /// Returns the collections of a property, without reading large ones.
    package func collection(_ property: PropertySchema) throws(StoreError) -> CollectionColumn {
        let views = try locations.map { location throws(StoreError) in
            try location.group.collectionView(property, at: location.index)
        }
        return try pages.whileCoding { () throws(CodecError) in
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
    /// Finds some objects and omits those that do not exist.
    ///
    /// - Complexity: O(log objects) for each
    package func pick(_ rows: [RowID]) throws(StoreError) -> PickedRows {
        try PickedRows(rows, in: self)
    }
}
