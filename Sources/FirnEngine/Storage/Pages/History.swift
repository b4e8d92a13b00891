import FirnValues

/// What leads to the versions before the newest: kept roots, and the commits since each of them.
///
/// Version V can be read if some root K with K.lsn <= V is kept or current, and all commits after K
/// up to V are operations that are kept.
struct History: Hashable, Sendable {
    /// All that is needed to open an older root.
    struct KeptRoot: Hashable, Sendable {
        let version: RootVersion
        let lsn: LSN
        let chain: ChainHash
        let catalog: PageReference?
        let fileByteCount: UInt64
    }

    /// Commits that follow each other without a gap, in one blob.
    struct Chunk: Hashable, Sendable {
        let first: LSN
        let last: LSN
        /// Bytes of the frames before they are packed.
        let byteCount: UInt64
        /// The commits that wrote pages, ascending.
        ///
        /// Nothing leads over them.
        let barriers: [LSN]
        let reference: PageReference
    }

    /// Ascending by version.
    var roots: [KeptRoot] = []
    /// Ascending, without overlap.
    var chunks: [Chunk] = []
    /// Roots that the root before kept and this one does not: if a power loss leads back to it, they
    /// must still be as they were.
    var dropped: [RootVersion] = []
    /// The freezes, which belong to the root itself.
    var freezes = FreezeIndex()

    /// More are never kept, and no reader accepts more.
    static let rootCountMaximum = 20_000

    var isEmpty: Bool {
        roots.isEmpty && chunks.isEmpty && dropped.isEmpty && freezes.isEmpty
    }
}

extension History.KeptRoot {
    init(_ superblock: Superblock) {
        self.init(
            version: superblock.rootVersion, lsn: superblock.lsn, chain: superblock.chain,
            catalog: superblock.catalog, fileByteCount: superblock.fileByteCount)
    }

    /// The root as its own superblock had it, without what only a current root needs.
    func superblock(in current: Superblock) -> Superblock {
        var superblock = current
        superblock.rootVersion = version
        superblock.lsn = lsn
        superblock.chain = chain
        superblock.catalog = catalog
        superblock.fileByteCount = fileByteCount
        superblock.freeSpace = nil
        superblock.history = nil
        superblock.hasLog = false
        superblock.previousChecksum = 0
        return superblock
    }
}
