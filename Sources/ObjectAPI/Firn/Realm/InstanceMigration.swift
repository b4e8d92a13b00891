import FirnEngine
import FirnValues

/// The part of a migration that its realm of new objects needs.
final class InstanceMigration {
    let transaction: WriteTransaction
    let plan: MigrationPlan
    /// The values that were set in enumerated objects and are not written yet.
    let writes: MigrationWrites

    init(_ transaction: WriteTransaction, _ plan: MigrationPlan) {
        self.transaction = transaction
        self.plan = plan
        writes = MigrationWrites(transaction)
    }

    /// Returns the properties of a class that the block cannot see, because the model lacks them.
    func hiddenProperties(of classID: ClassID) -> Set<PropertyID> {
        plan.removals[classID] ?? []
    }

    /// Performs a step that may give an object the key of another object.
    ///
    /// The class then has no key until the block has returned, after which all keys are checked.
    func allowingEqualKeys<Result>(
        in classID: ClassID, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do {
            return try body()
        } catch {
            guard error.code == .duplicateKey else { throw error }
            try transaction.setKey(nil, of: classID)
            return try body()
        }
    }
}

/// The values that a migration block has set in the object that it is called for.
///
/// They are written for all objects of a row group together, which is much faster than one by one.
/// Everything else that reads or changes the transaction writes them first.
final class MigrationWrites {
    private struct Column {
        let property: PropertySchema
        var rows: [RowID] = []
        var values: [Value] = []
    }

    /// The object for which the block is called.
    struct Object: Equatable {
        let classID: ClassID
        let row: RowID
    }

    let transaction: WriteTransaction
    /// The object whose values are collected, or `nil` if none is.
    var object: Object?
    private var columns: [Column] = []

    init(_ transaction: WriteTransaction) { self.transaction = transaction }

    /// Returns whether the value of a property can be collected.
    static func collects(_ property: PropertySchema, of schema: ClassSchema) -> Bool {
        property.type.container == .single && !property.mayLink && schema.key != property.id
    }

    /// Sets a property of the current object.
    func set(_ property: PropertySchema, to value: Value) {
        guard let object else { return }
        var index = columns.firstIndex { $0.property.id == property.id }
        if index == nil {
            columns.append(Column(property: property))
            index = columns.count - 1
        }
        guard let index else { return }
        if columns[index].rows.last == object.row {
            columns[index].values[columns[index].values.count - 1] = value
        } else {
            columns[index].rows.append(object.row)
            columns[index].values.append(value)
        }
    }

    /// Returns the value of a property of the current object, if it was set and is not written yet.
    func value(of property: PropertyID) -> Value? {
        guard let column = columns.first(where: { $0.property.id == property }),
            column.rows.last == object?.row
        else { return nil }
        return column.values.last
    }

    /// Writes the values.
    ///
    /// - Parameters:
    ///   - classID: The class of the objects.
    ///   - more: The number of objects that the block will be called for.
    func flush(expecting more: Int = 0) throws(StoreError) {
        guard let classID = object?.classID, !columns.isEmpty else { return }
        let pending = columns
        columns = []
        for column in pending {
            try transaction.set(
                column.property.id, of: column.rows, in: classID, to: column.values,
                expecting: more)
        }
    }
}
