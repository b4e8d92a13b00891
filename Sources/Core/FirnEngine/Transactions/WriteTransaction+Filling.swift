import FirnCodec
package import FirnValues
import HashTreeCollections

/// Setting a property of all objects at once.
extension WriteTransaction {
    /// Sets a property with single values in every object of a class, row group by row group.
    ///
    /// The values are not recorded, so the transaction writes pages. Links are checked and indexed
    /// when all of them are known, which is much faster than one by one.
    ///
    /// - Parameter values: Returns one value for each row of a group, including deleted rows; links
    ///   as ``Value/link(_:)``.
    /// - Throws: The errors of ``set(_:of:in:to:)``; embedded objects cannot be filled in.
    /// - Complexity: O(objects)
    package func fill(
        _ propertyID: PropertyID, of classID: ClassID,
        with values: (RowGroupView) throws(StoreError) -> [Value]
    ) throws(StoreError) {
        try checkOpen()
        try becomeBulk()
        try beginOperation()
        defer { endOperation() }
        try atomically { () throws(StoreError) in
            try fillGroups(propertyID, of: classID, with: values)
        }
        hasChanges = true
        operationCount += 1
    }

    private func fillGroups(
        _ propertyID: PropertyID, of classID: ClassID,
        with values: (RowGroupView) throws(StoreError) -> [Value]
    ) throws(StoreError) {
        let schema = try record(classID).schema
        guard let property = schema[propertyID] else { throw unknownProperty(schema) }
        guard property.type.container == .single, !overlay.catalog.isOwning(property),
            property.type.base != .any, schema.key != propertyID
        else {
            throw invalid("property \(property.name) of \(schema.name) cannot be filled")
        }
        for view in try sealedTable(schema).rowGroups() {
            let column = try self.column(of: try values(view), property, view, schema)
            replace(propertyID, of: view.firstRowID, in: classID, with: column)
            try spillColumns()
        }
        guard property.mayLink else { return }
        overlay.classes[classID, default: ClassOverlay()].links[propertyID] = .unlisted
    }

    private func column(
        of values: [Value], _ property: PropertySchema, _ view: RowGroupView, _ schema: ClassSchema
    ) throws(StoreError) -> ColumnPage {
        guard values.count == view.rowCount else {
            throw StoreError(
                .missingValue, path: store.path,
                detail: "\(values.count) values for \(view.rowCount) rows of \(schema.name)")
        }
        let builder = ColumnBuilder(kind: property.columnKind)
        var known: Set<ObjectReference> = []
        var held: Set<ObjectReference> = []
        for value in values {
            try checkElement(value, property, schema)
            if case .link(let target) = value, !known.contains(target) {
                try checkTargets([target], property, schema, &held)
                known.insert(target)
            }
            try store.pages.coding(builder.append(property.type.toColumn(value)))
        }
        return try store.pages.coding(builder.makePage())
    }
}
