package import FirnValues

/// What differs between two versions of a database, object by object.
///
/// Everything that watches data is driven by this: what commits recorded, with all that followed
/// from it (embedded objects that went with their parents, links to deleted objects).
package struct VersionChanges: Sendable {
    package let from: LSN
    package let to: LSN
    /// When the last of the commits took place, in nanoseconds since 1970; `nil` if it is not known.
    package var time: Int64?
    /// Only classes of which objects changed.
    package var classes: [ClassID: ClassChanges] = [:]
    /// The schema differs: what was bound to the old one is to be bound again.
    package var schemaChanged = false

    package init(from: LSN, to: LSN) {
        self.from = from
        self.to = to
    }

    package var isEmpty: Bool { classes.isEmpty && !schemaChanged }
}

/// What happened to the objects of one class; all arrays ascend, and no object is in two of them.
package struct ClassChanges: Hashable, Sendable {
    /// In the new version only.
    package var created: [RowID] = []
    /// In the old version only.
    package var deleted: [RowID] = []
    /// In both.
    package var modified: [ModifiedObject] = []
    /// The edits of collections of modified objects in their order, for as long as nothing but edits
    /// happened to the collection; others are to be compared.
    package var edits: [CollectionPlace: [CollectionEdit]] = [:]

    package init() {}

    package var isEmpty: Bool { created.isEmpty && deleted.isEmpty && modified.isEmpty }
}

/// An object that was written to, maybe with the values that it had.
package struct ModifiedObject: Hashable, Sendable {
    package var row: RowID
    /// A collection is among them when it was edited, a link when what it led to was deleted.
    package var properties: PropertySet

    package init(row: RowID, properties: PropertySet) {
        self.row = row
        self.properties = properties
    }
}

/// A collection of one object.
package struct CollectionPlace: Hashable, Sendable {
    package var row: RowID
    package var property: PropertyID

    package init(row: RowID, property: PropertyID) {
        self.row = row
        self.property = property
    }
}
