import FirnCodec
package import FirnValues

/// Loading columns of many rows at a time, with collections.
extension BulkLoader {
    /// The maximum number of rows whose values can be appended before ``endRows(_:)``.
    package var rowRoom: Int { max(1, assembler.rowRoom) }

    /// Returns whether the values of a property are integers of less than 64 bits, which
    /// ``append(_:at:)`` checks and ``columns`` do not.
    package func hasNarrowIntegers(at column: Int) -> Bool {
        schema.properties[column].type.integerWidth != .bits64
    }

    /// Appends a single value, which is checked.
    package func append(_ value: Value, at column: Int) throws(StoreError) {
        let property = schema.properties[column]
        try transaction.checkElement(value, property, schema)
        try transaction.store.pages.coding(columns[column].append(property.type.toColumn(value)))
    }

    /// Appends empty collections, so that the next collection belongs to a row.
    ///
    /// - Parameter offset: the index of the row among those that are not yet ended.
    package func skipCollections(at column: Int, before offset: Int) {
        guard case .collection(let builder) = assembler.builders[column] else { return }
        while builder.count < assembler.rowCount + offset { builder.endRow() }
    }

    /// Appends the collection of a row.
    ///
    /// - Returns: whether it was appended. A collection that is too large for the pages of a row group
    ///   stays empty; it can be set when the load is finished.
    package func append(
        collection value: Value, at column: Int
    ) throws(StoreError) -> Bool {
        let property = schema.properties[column]
        guard case .collection(let builder) = assembler.builders[column] else {
            preconditionFailure("the property of a collection has a builder of collections")
        }
        let checked = try transaction.checked(value, for: property, of: schema)
        let count = checked.elementCount
        guard count <= CollectionLimits.inlineElementCount,
            count <= 1 || checked.approximateByteCount <= CollectionLimits.inlineByteCount
        else {
            builder.endRow()
            return false
        }
        try transaction.store.pages.coding(builder.append(checked))
        if count > 0 { filledCollections.insert(property.id) }
        return true
    }
}
