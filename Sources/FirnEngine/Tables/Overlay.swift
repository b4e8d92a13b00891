import FirnCodec
import FirnValues
import HashTreeCollections

/// The changes since a root, as an immutable value that shares structure with the previous one.
///
/// A snapshot is a root and an overlay. Every read merges the two. Folding the overlay into pages
/// yields a root that gives the same results with an empty overlay.
package struct Overlay: Sendable {
    var catalog: Catalog { didSet { catalogState &+= 1 } }
    /// A counter that every change of the catalog increments.
    private(set) var catalogState: UInt64 = 0
    /// The classes that have changes.
    var classes: TreeDictionary<ClassID, ClassOverlay> = [:]
    var hasSchemaChanges = false
    var freezes = FreezeEdits()

    init(catalog: Catalog) { self.catalog = catalog }

    var isEmpty: Bool { classes.isEmpty && !hasSchemaChanges && freezes.isEmpty }

    /// Returns the identity of the next object of a class.
    func nextRowID(of record: ClassRecord) -> RowID {
        classes[record.schema.id]?.nextRowID ?? record.nextRowID
    }

    /// Edits the changes of a class.
    mutating func change(_ classID: ClassID, _ change: (inout ClassOverlay) -> Void) {
        change(&classes[classID, default: ClassOverlay()])
    }

    /// Edits the changes of a row group.
    mutating func patch<Failure>(
        _ classID: ClassID, _ group: RowID, _ change: (inout GroupPatch) throws(Failure) -> Void
    ) throws(Failure) {
        try change(
            &classes[classID, default: ClassOverlay()].patches[group, default: GroupPatch()])
    }
}
