import FirnCodec
package import FirnValues

/// Setting a property of many objects in one call.
extension WriteTransaction {
    /// Sets a property of several objects.
    ///
    /// The objects and the recorded operations are the same as after ``set(_:of:in:to:)`` for each
    /// of them. Many objects of a row group get a new column instead of single values.
    ///
    /// - Parameters:
    ///   - rows: The objects, ascending, each once.
    ///   - values: One value per object, which should not be the one that it has.
    ///   - more: The number of further objects that the caller will probably set. The transaction
    ///     writes pages from now on if their operations will not fit into the log.
    /// - Throws: The errors of ``set(_:of:in:to:)``. If the property is a link or the key, the
    ///   objects before the rejected one have changed; otherwise none has.
    /// - Complexity: O(objects), and O(rows) of the row groups of which many rows change
    package func set(
        _ propertyID: PropertyID, of rows: [RowID], in classID: ClassID, to values: [Value],
        expecting more: Int = 0
    ) throws(StoreError) {
        precondition(rows.count == values.count, "one value for every object")
        try checkOpen()
        let schema = try plan(of: classID).schema
        guard let property = schema[propertyID] else { throw unknownProperty(schema) }
        guard rows.count >= WriteTransaction.manyRowsMinimum, property.type.container == .single,
            !property.mayLink, schema.key != propertyID
        else {
            for (row, value) in zip(rows, values) {
                try set(propertyID, of: row, in: classID, to: value)
            }
            return
        }
        let before = recorded?.byteCount
        try setMany(property, of: rows, in: classID, to: values)
        try spillColumns()
        guard operationDepth == 0, let before, let after = recorded?.byteCount else { return }
        let expected = (after - before) / rows.count * more
        if after + expected > store.options.recordedByteCountMaximum { try becomeBulk() }
    }

    private func setMany(
        _ property: PropertySchema, of rows: [RowID], in classID: ClassID, to values: [Value]
    ) throws(StoreError) {
        try seal(classID)
        try prepareForRecording(of: values)
        try beginOperation()
        defer { endOperation() }
        let plan = try plan(of: classID)
        guard let column = plan.schema.index(of: property.id) else {
            throw unknownProperty(plan.schema)
        }
        var values = values
        for index in values.indices where !plan.rules[column].admits(values[index]) {
            values[index] = try checked(values[index], for: property, of: plan.schema)
        }
        var start = 0
        for run in try runs(of: rows, plan) {
            let end = start + run.indices.count
            try store(.each(values[start..<end]), property, in: run, plan)
            start = end
        }
        for (row, value) in zip(rows, values) {
            try recording { recorded throws(CodecError) in
                try recorded?.appendSet(classID, row, property.id, value)
            }
        }
    }

    /// Begins to write pages if the operations of some values would exceed a frame.
    private func prepareForRecording(of values: [Value]) throws(StoreError) {
        guard operationDepth == 0, let recorded else { return }
        let byteCount = values.reduce(0) { $0 + $1.approximateByteCount }
        if recorded.byteCount + byteCount > RecordedOperations.byteCountMaximum {
            try becomeBulk()
        }
    }
}
