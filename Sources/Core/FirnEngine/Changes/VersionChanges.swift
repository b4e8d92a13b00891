package import FirnValues

/// The changes between two versions of a database, object by object.
///
/// They are the input of all observation: the recorded operations of commits with all consequences
/// (embedded objects that were deleted with their parents, links to deleted objects).
package struct VersionChanges: Sendable {
    package let from: LSN
    package let to: LSN
    /// The last commit; `nil` if it is no longer kept.
    package var commit: CommitMetadata?
    /// The classes in which objects changed.
    package var classes: [ClassID: ClassChanges] = [:]
    /// Whether the schema differs in more than its indexes, so that queries must be bound again.
    package var schemaChanged = false
    /// Whether the indexes of a class differ, which changes no result.
    package var indexesChanged = false

    package init(from: LSN, to: LSN) {
        self.from = from
        self.to = to
    }

    package var isEmpty: Bool { classes.isEmpty && !schemaChanged }

    mutating func noteDifference(from old: Schema, to new: Schema) {
        guard old != new else { return }
        schemaChanged = !old.classes.isSameExceptIndexes(as: new.classes)
        indexesChanged = !schemaChanged
    }
}

/// The time and the annotation of a commit.
package struct CommitMetadata: Hashable, Sendable {
    /// Nanoseconds since 1970.
    package let time: Int64
    package var annotation: Annotation?
}

/// The changes to the objects of one class; all arrays ascend, and no object is in two of them.
package struct ClassChanges: Hashable, Sendable {
    /// The objects that are only in the new version.
    package var created: [RowID] = []
    /// The objects that are only in the old version.
    package var deleted: [RowID] = []
    /// The objects in both versions.
    package var modified: [ModifiedObject] = []
    /// The edits of collections of modified objects in their order.
    ///
    /// A collection that also changed in other ways is omitted and must be compared.
    package var edits: [CollectionID: [CollectionEdit]] = [:]

    package init() {}

    package var isEmpty: Bool { created.isEmpty && deleted.isEmpty && modified.isEmpty }
}

/// An object that was written to, possibly with the values that it already had.
package struct ModifiedObject: Hashable, Sendable {
    package var row: RowID
    /// The written properties, including edited collections and links whose targets were deleted.
    package var properties: PropertySet

    package init(row: RowID, properties: PropertySet) {
        self.row = row
        self.properties = properties
    }
}

/// A collection of one object.
package struct CollectionID: Hashable, Sendable {
    package var row: RowID
    package var property: PropertyID

    package init(row: RowID, property: PropertyID) {
        self.row = row
        self.property = property
    }
}
