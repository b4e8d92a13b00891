import FirnEngine
import FirnValues

extension RealmInstance {
    /// Adds objects, or values with objects in them, in a step of the open transaction.
    ///
    /// - Parameter copiesForeignObjects: whether objects of other files are copied, and not refused.
    func adding<Result>(
        _ transaction: WriteTransaction, _ policy: Realm.UpdatePolicy = .error,
        copiesForeignObjects: Bool = false,
        _ body: (ObjectAdding) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        // Taken away: a step may make another one necessary, such as the copy of an object.
        let idle = cachedAdder.take()
        let adding: ObjectAdding
        if let idle, idle.transaction === transaction {
            adding = idle
        } else {
            adding = ObjectAdding(self, transaction)
        }
        adding.policy = policy
        adding.copiesForeignObjects = copiesForeignObjects
        let result = try body(adding)
        // Not after a failure: what was remembered for the rest of the step would be there still.
        cachedAdder = adding
        return result
    }

    /// What the database is to store for the value of a property; objects in it are added.
    func encoded(
        _ value: some RealmCollectionValue, for property: PropertySchema,
        _ transaction: WriteTransaction
    ) throws(StoreError) -> Value {
        guard property.mayLink else { return try _LinkEncoder.refusing.encoded(value) }
        return try adding(transaction) { adding throws(StoreError) in
            try _LinkEncoder(adding).encoded(value)
        }
    }
}
