import FirnValues
import HashTreeCollections

/// Turns a root and an overlay into the catalog of a root with the same content and no overlay.
///
/// This is the only way by which changes become pages: the commit of a lone writer and the
/// checkpoint of a log both end here.
struct Fold {
    let base: Snapshot
    let overlay: Overlay
    let options: StoreOptions

    /// Writes what changed.
    ///
    /// - Returns: the catalog of the new root; publishing it is up to the caller.
    func write(_ writer: inout PageWriter) throws(StoreError) -> Catalog {
        var catalog = overlay.catalog
        let snapshot = base.with(overlay)
        for (classID, changes) in overlay.classes {
            guard var record = catalog[classID], let table = snapshot.table(classID) else {
                continue
            }
            var folding = ClassFold(table: table, changes: changes, options: options)
            let directory = try folding.write(&writer)
            record.directory = directory
            record.liveRowCount = UInt64(clamping: table.liveRowCount)
            record.groupCount =
                folding.groupDelta < 0
                ? record.groupCount &- min(record.groupCount, folding.groupDelta.magnitude)
                : record.groupCount &+ folding.groupDelta.magnitude
            catalog[classID] = record
        }
        return catalog
    }
}
