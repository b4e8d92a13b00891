import FirnValues

/// A position in a segment: the end of one commit's frame and the start of the next.
struct LogPosition: Hashable, Sendable {
    /// The offset of the next frame from the start of the file.
    var offset: UInt64
    /// The commit of the frame before this position.
    var lsn: LSN
    /// The hash of that commit, which the next frame repeats.
    var chain: ChainHash
}

/// A position in the log: a segment and the commit after which the next frame follows.
struct LogAddress: Hashable, Sendable {
    var segment: UInt64
    var position: LogPosition

    var lsn: LSN { position.lsn }
    var chain: ChainHash { position.chain }
}
