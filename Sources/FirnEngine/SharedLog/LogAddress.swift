import FirnValues

/// A place in the log: in which segment, and behind which commit.
struct LogAddress: Hashable, Sendable {
    var segment: UInt64
    var position: LogPosition

    var lsn: LSN { position.lsn }
    var chain: ChainHash { position.chain }
}
