import FirnValues

/// The fields of a new root other than its catalog.
struct RootChange: Sendable {
    var lsn: LSN
    var chain: ChainHash
    /// The commits between the previous root and this one, ascending; a frame of kind `root` for a
    /// commit that wrote pages.
    var frames: [Frame]
    var hasLog: Bool
    var logGeneration: UInt64
    /// The segment in which the log continues; 0 without a log.
    var logSegment: UInt64 = 0
    /// Whether unnamed versions may be kept; freezes always are.
    var keepsHistory = true
    /// Whether the root may use the ``DiskReserve`` of the file, because it frees space.
    var mayUseReserve = false
    /// The freezes that were made and dropped since the previous root.
    var freezes = FreezeEdits()
    /// The versions of freezes that stay in the log and are not in the root.
    var loggedFreezes: [LSN] = []
}
