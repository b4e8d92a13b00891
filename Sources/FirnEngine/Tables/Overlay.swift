import FirnCodec
import FirnValues
import HashTreeCollections

/// What changed since a root: an immutable value that shares structure with the one before it.
///
/// A snapshot is a root and an overlay; every read merges the two, and folding the overlay into
/// pages gives a root whose overlay is empty and whose answers are the same.
package struct Overlay: Sendable {
    var catalog: Catalog { didSet { catalogState &+= 1 } }
    /// Another number after every change of the catalog.
    private(set) var catalogState: UInt64 = 0
    /// Only classes that have changes.
    var classes: TreeDictionary<ClassID, ClassOverlay> = [:]
    var hasSchemaChanges = false
    var freezes = FreezeEdits()

    init(catalog: Catalog) { self.catalog = catalog }

    var isEmpty: Bool { classes.isEmpty && !hasSchemaChanges && freezes.isEmpty }

    /// The identity of the next object of a class.
    func nextRowID(of record: ClassRecord) -> RowID {
        classes[record.schema.id]?.nextRowID ?? record.nextRowID
    }

    /// Changes what is known of a class.
    mutating func change(_ classID: ClassID, _ change: (inout ClassOverlay) -> Void) {
        change(&classes[classID, default: ClassOverlay()])
    }

    /// Changes what is laid over a row group.
    mutating func patch<Failure>(
        _ classID: ClassID, _ group: RowID, _ change: (inout GroupPatch) throws(Failure) -> Void
    ) throws(Failure) {
        try change(
            &classes[classID, default: ClassOverlay()].patches[group, default: GroupPatch()])
    }
}
