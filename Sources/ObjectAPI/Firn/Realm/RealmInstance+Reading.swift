import FirnEngine
import FirnValues

extension RealmInstance {
    /// Returns the binding of a class of the model, or of a class of the file for dynamic objects.
    func binding(of type: ObjectBase.Type, _ id: ClassID) -> ClassBinding {
        type == DynamicObject.self ? dynamicBinding(of: id) : binding(of: type)
    }

    /// Returns whether an object exists in the version that reads see.
    func exists(_ row: RowID, _ binding: ClassBinding) throws(StoreError) -> Bool {
        if let transaction = changingTransaction {
            return try transaction.exists(row, in: binding.schema.id)
        }
        return try cursor(of: binding)?.move(to: row) ?? false
    }
}
