import FirnValues

/// The kept roots, and the commits after each of them, which lead to the versions before the
/// newest.
///
/// Version V can be read if some root K with K.lsn <= V is kept or current, and all commits after K
/// up to V are kept as operations.
struct History: Hashable, Sendable {
    /// The data required to open an older root.
    struct KeptRoot: Hashable, Sendable {
        let version: RootVersion
        let lsn: LSN
        let chain: ChainHash
        let catalog: PageReference?
        let fileByteCount: UInt64
    }

    /// Consecutive commits without a gap, in one blob.
    struct Chunk: Hashable, Sendable {
        let first: LSN
        let last: LSN
        /// The size in bytes of the frames before compression.
        let byteCount: UInt64
        /// The commits that wrote pages, ascending.
        ///
        /// No replay can pass over them.
        let barriers: [LSN]
        let reference: PageReference
    }

    /// The kept roots, ascending by version.
    var roots: [KeptRoot] = []
    /// The chunks, ascending and without overlap.
    var chunks: [Chunk] = []
    /// Roots that the previous root kept and this one does not.
    ///
    /// They must stay unchanged, because a power loss may lead back to the previous root.
    var dropped: [RootVersion] = []
    /// The freezes, which belong to the root itself.
    var freezes = FreezeIndex()

    /// The maximum number of kept roots; readers reject more.
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

    /// Returns the superblock of the root, without the fields that only a current root needs.
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
