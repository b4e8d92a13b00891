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
    /// Versions that freezes name which stand in the log, and not in the catalog of the root.
    var loggedFreezes: [LSN] = []
}
