package import FirnValues

/// What to do when an object with the given key is there already, or is not.
package enum PutPolicy: String, Hashable, Sendable, CaseIterable {
    /// The key must be new.
    case insert
    /// Makes the object, or changes the given properties of the one that is there.
    case upsert
    /// The key must be there; changes the given properties.
    case update
    /// Makes the object, or replaces the one that is there: what is not given becomes nil or empty.
    case replace
}

/// What a put did.
package struct PutOutcome: Hashable, Sendable {
    package enum Effect: String, Hashable, Sendable {
        case inserted
        case updated
        /// The object had all the values already.
        case unchanged
    }

    package let row: RowID
    package let effect: Effect

    package init(row: RowID, effect: Effect) {
        self.row = row
        self.effect = effect
    }
}
