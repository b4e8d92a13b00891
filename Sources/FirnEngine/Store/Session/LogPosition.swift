import FirnValues

/// A place in the log between two frames: what the next frame must follow.
struct LogPosition: Hashable, Sendable {
    var segment: SegmentNumber
    /// Bytes from the beginning of the segment.
    var offset: UInt64
    /// The commit of the frame before.
    var lsn: LSN
    /// The hash of that commit.
    var chain: ChainHash
}
