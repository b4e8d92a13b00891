import FirnCodec
import FirnPlatform
import FirnValues

/// Writes all that a snapshot contains into an empty database.
///
/// Rows come in the order of their ids, trees in the order of their keys: every page is full and
/// lies behind the one before. In memory are one row group of the source, the one that is filled,
/// and the directory of one class.
struct SnapshotCopy {
    let snapshot: Snapshot
    /// The empty database.
    let target: Store

    /// Writes the pages.
    ///
    /// - Parameter progress: called after each row group and tree; `false` ends the copy.
    /// - Returns: the catalog of the copy, or `nil` if the copy was ended.
    func write(
        _ writer: inout PageWriter, _ progress: (CompactionProgress) -> Bool
    ) throws(StoreError) -> Catalog? {
        let total = try byteCount()
        var done: UInt64 = 0
        var catalog = snapshot.catalog
        // Freezes name versions that the copy does not have.
        catalog.freezes = []
        for record in snapshot.catalog.classes {
            guard let table = snapshot.table(record.schema.id) else { continue }
            let copied = try ClassCopy(table: table, target: target).write(&writer) { byteCount in
                done = min(total, done &+ byteCount)
                return progress(CompactionProgress(doneByteCount: done, totalByteCount: total))
            }
            guard let copied else { return nil }
            catalog[record.schema.id] = copied
        }
        return catalog
    }

    /// About how many bytes there are to look at.
    private func byteCount() throws(StoreError) -> UInt64 {
        var sum: UInt64 = 0
        for record in snapshot.catalog.classes {
            guard let table = snapshot.table(record.schema.id) else { continue }
            for view in try table.rowGroups() { sum &+= view.byteCount }
            for (root, name) in record.trees {
                sum &+= try Tree(root: root, pages: snapshot.pages, name: name).storedByteCount()
            }
        }
        return sum
    }
}

extension RowGroupView {
    /// Bytes of its pages on disk, or in memory if it is not on disk yet.
    var byteCount: UInt64 {
        switch source {
        case .stored(let group): group.extents.reduce(0) { $0 &+ $1.byteCount }
        case .memory(let group): UInt64(clamping: group.memoryByteCount)
        }
    }
}
