import FirnValues

/// What a new root is besides its catalog.
struct RootChange: Sendable {
    var lsn: LSN
    var chain: ChainHash
    /// The commits between the root before and this one, ascending; a frame of kind `root` for one
    /// that wrote pages.
    var frames: [Frame]
    var hasLog: Bool
    var logGeneration: UInt64
    /// The segment in which the log goes on; 0 without a log.
    var logSegment: UInt64 = 0
    /// Whether versions without a name may be kept; freezes always are.
    var keepsHistory = true
    /// Whether the root may leave the file with less than its ``DiskReserve``: it frees space.
    var mayUseReserve = false
    /// The freezes that were made and dropped since the root before.
    var freezes = FreezeEdits()
    /// The versions of freezes that stay in the log, and are not among those of the root.
    var loggedFreezes: [LSN] = []
}
