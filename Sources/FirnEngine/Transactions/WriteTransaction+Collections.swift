package import FirnValues

extension WriteTransaction {
    /// Returns a list, set or map of an object as of this transaction.
    ///
    /// - Throws: ``StoreError`` with `unknownObject` if there is no such object.
    package func collection(
        of property: PropertySchema, of row: RowID, in schema: ClassSchema
    ) throws(StoreError) -> CollectionView {
        if let rows = created[schema.id], rows.holds(row) {
            guard let index = schema.index(of: property.id),
                let value = rows.value(index, of: row)
            else { throw unknownObject(row, schema) }
            return CollectionView(.inline(value), property.type)
        }
        guard let (group, index) = try sealedTable(schema).locate(row) else {
            throw unknownObject(row, schema)
        }
        return try group.collectionView(property, at: index)
    }
}
