import FirnValues

/// The pages of the newest root that a freeze keeps, even if later roots do not use them.
///
/// Rewriting such a page frees no space and costs its copy. Only the newest frozen version matters:
/// a page that an older one keeps and the newest root still has is also in every version between
/// them.
///
/// A freeze that is made during a compaction is not included. Neither are the pages of readers:
/// readers end, and the growth that they cause is limited.
struct FrozenPages {
    private var extents = ExtentSet()
    /// The end of the last of these pages, below which the file cannot shrink.
    private(set) var endUnit: UInt64 = 0

    init(_ store: Store) throws(StoreError) {
        let newest = try store.snapshot()
        let superblock = newest.root.superblock
        let versions = try newest.freezes()
            .filter { !$0.isExpired(at: store.now) && $0.version < superblock.lsn }
        guard let version = versions.map(\.version).max(),
            let base = try store.history(of: superblock).base(for: version)
        else { return }
        let frozen: Snapshot
        do throws(StoreError) {
            frozen = try store.snapshot(at: .number(base.lsn))
        } catch {
            // The freeze was dropped meanwhile.
            guard error.code == .versionGone else { throw error }
            return
        }
        let tables = frozen.root.catalog.classes.map { Table(root: $0, frozen.pages) }
        for entry in try ExtentIndex(tables, in: 0..<UInt64.max).entries {
            extents.insert(entry.extent)
            endUnit = max(endUnit, entry.extent.end)
        }
    }

    func contains(_ extent: Extent) -> Bool {
        extents.extent(at: extent.start).map { $0.end >= extent.end } ?? false
    }

    /// Returns the number of units that become free if the newest root no longer uses some pages.
    func regainedUnitCount(of pages: [Extent]) -> UInt64 {
        pages.reduce(0) { contains($1) ? $0 : $0 + $1.length }
    }
}
