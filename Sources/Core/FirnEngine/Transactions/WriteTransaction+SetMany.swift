package import FirnCodec
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
    /// - Complexity: O(objects), and O(rows) of the row groups with many changed rows
    package func set(
        _ propertyID: PropertyID, of rows: [RowID], in classID: ClassID, to values: [Value],
        expecting more: Int = 0
    ) throws(StoreError) {
        precondition(rows.count == values.count, "one value for every object")
        try checkOpen()
        let plan = try plan(of: classID)
        guard let column = plan.schema.index(of: propertyID) else {
            throw unknownProperty(plan.schema)
        }
        guard isSetTogether(column, rows, plan) else {
            for (row, value) in zip(rows, values) {
                try set(propertyID, of: row, in: classID, to: value)
            }
            return
        }
        let property = plan.schema.properties[column]
        var values = values
        for index in values.indices where !plan.rules[column].admits(values[index]) {
            values[index] = try checked(values[index], for: property, of: plan.schema)
        }
        try setMany(
            column, of: rows, in: classID, to: .each(values[...]),
            byteCount: values.reduce(0) { $0 + $1.approximateByteCount }, expecting: more)
    }

    /// Sets a property of several objects to the values of a vector.
    ///
    /// - Parameters: As in ``set(_:of:in:to:expecting:)``; the vector has the values as columns have
    ///   them.
    /// - Throws: As that one.
    /// - Complexity: As that one, without a `Value` for each object unless the operations are recorded.
    package func set(
        _ propertyID: PropertyID, of rows: [RowID], in classID: ClassID, to vector: ColumnVector,
        expecting more: Int = 0
    ) throws(StoreError) {
        precondition(rows.count == vector.count, "one value for every object")
        try checkOpen()
        let plan = try plan(of: classID)
        guard let column = plan.schema.index(of: propertyID) else {
            throw unknownProperty(plan.schema)
        }
        guard isSetTogether(column, rows, plan), plan.rules[column].admits(vector) else {
            let type = plan.schema.properties[column].type
            let values = (0..<vector.count).map { type.fromColumn(vector.value(at: $0)) }
            return try set(propertyID, of: rows, in: classID, to: values, expecting: more)
        }
        try setMany(
            column, of: rows, in: classID, to: .vector(vector, 0), byteCount: vector.valueByteCount,
            expecting: more)
    }

    /// Sets a property that affects nothing else, to values that were checked.
    ///
    /// - Parameter byteCount: The approximate size of the values.
    private func setMany(
        _ column: Int, of rows: [RowID], in classID: ClassID, to values: RunValues,
        byteCount: @autoclosure () -> Int, expecting more: Int
    ) throws(StoreError) {
        try recordingMany(rows.count, expecting: more) { () throws(StoreError) in
            try seal(classID)
            try prepareForRecording(byteCount())
            try beginOperation()
            defer { endOperation() }
            let plan = try plan(of: classID)
            let property = plan.schema.properties[column]
            var start = 0
            for run in try runs(of: rows, plan) {
                try store(values.rest(from: start), property, in: run, plan)
                start += run.indices.count
            }
            try record(property, of: rows, in: classID, values)
        }
    }

    /// Whether a property of many objects is set row group by row group: it affects nothing else.
    private func isSetTogether(_ column: Int, _ rows: [RowID], _ plan: ClassWriteCache) -> Bool {
        let property = plan.schema.properties[column]
        return rows.count >= WriteTransaction.manyRowsMinimum
            && property.type.container == .single && !property.mayLink
            && plan.schema.key != property.id && !plan.isUnique[column]
    }

    /// Changes many objects, and starts writing pages if the operations of all of them will not fit
    /// into the log.
    private func recordingMany(
        _ count: Int, expecting more: Int, _ change: () throws(StoreError) -> Void
    ) throws(StoreError) {
        let before = recorded?.byteCount
        try change()
        try spillColumns()
        guard operationDepth == 0, let before, let after = recorded?.byteCount else { return }
        let expected = (after - before) / count * more
        if after + expected > store.options.recordedByteCountMaximum { try becomeBulk() }
    }

    private func record(
        _ property: PropertySchema, of rows: [RowID], in classID: ClassID, _ values: RunValues
    ) throws(StoreError) {
        guard recorded != nil else { return noteOperations(rows.count) }
        for (index, row) in rows.enumerated() {
            try recording { recorded throws(CodecError) in
                try recorded?.appendSet(classID, row, property.id, values[index])
            }
        }
    }

    /// Switches to writing pages if the operations of some values would exceed a frame.
    private func prepareForRecording(
        _ byteCount: @autoclosure () -> Int
    ) throws(StoreError) {
        guard operationDepth == 0, let recorded else { return }
        if recorded.byteCount + byteCount() > RecordedOperations.byteCountMaximum {
            try becomeBulk()
        }
    }
}
