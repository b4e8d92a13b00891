import FirnValues

/// Where a segment goes on: behind the frame of a commit.
struct LogPosition: Hashable, Sendable {
    /// Of the next frame, from the start of the file.
    var offset: UInt64
    /// The commit of the last frame before.
    var lsn: LSN
    /// Its hash, which the next frame names.
    var chain: ChainHash
}
