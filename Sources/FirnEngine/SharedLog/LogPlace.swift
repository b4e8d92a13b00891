import FirnValues

/// A place in the log: in which segment, and behind which commit.
struct LogPlace: Hashable, Sendable {
    var segment: UInt64
    var position: LogPosition

    var lsn: LSN { position.lsn }
    var chain: ChainHash { position.chain }
}
