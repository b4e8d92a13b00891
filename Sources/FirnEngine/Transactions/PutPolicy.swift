package import FirnValues

/// The action to take if an object with the given key exists, or does not.
package enum PutPolicy: String, Hashable, Sendable, CaseIterable {
    /// Creates the object; the key must be new.
    case insert
    /// Creates the object, or changes the given properties of the existing one.
    case upsert
    /// Changes the given properties; the key must exist.
    case update
    /// Creates the object, or replaces the existing one: properties not given become nil or empty.
    case replace
}

/// The result of a put.
package struct PutOutcome: Hashable, Sendable {
    package enum Effect: String, Hashable, Sendable {
        case inserted
        case updated
        /// The object already had all the values.
        case unchanged
    }

    package let row: RowID
    package let effect: Effect

    package init(row: RowID, effect: Effect) {
        self.row = row
        self.effect = effect
    }
}
