import FirnEngine
import FirnValues

extension RealmInstance {
    /// Adds objects, or values that contain objects, in a step of the open transaction.
    ///
    /// - Parameter copiesForeignObjects: Whether objects of other files are copied instead of
    ///   refused.
    func adding<Result>(
        _ transaction: WriteTransaction, _ policy: Realm.UpdatePolicy = .error,
        copiesForeignObjects: Bool = false,
        _ body: (ObjectAdding) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        // Taken out of the property, because a step may require another one, such as copying an
        // object.
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
        // Not reached after a failure, which would leave the state of the failed step.
        cachedAdder = adding
        return result
    }

    /// Returns the stored form of the value of a property.
    ///
    /// Objects inside the value are added.
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
