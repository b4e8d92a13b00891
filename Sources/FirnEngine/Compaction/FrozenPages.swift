import FirnValues

/// The pages of the newest root that a freeze keeps, whatever becomes of them in later roots.
///
/// To write such a page anew gains nothing and costs its copy. Only the newest frozen version
/// matters: a page that an older one keeps and the newest root still has is in all between them.
///
/// A freeze that somebody makes while a compaction runs is not among them. Nor is what readers
/// keep: they go, and the growth by them is limited.
struct FrozenPages {
    private var extents = ExtentSet()
    /// Behind the last of them; the file cannot become shorter.
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
            // Somebody dropped the freeze just now.
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

    /// How many units of some pages become free when the newest root does without them.
    func regainedUnitCount(of pages: [Extent]) -> UInt64 {
        pages.reduce(0) { contains($1) ? $0 : $0 + $1.length }
    }
}
