import FirnValues

/// A position in the log: a segment and the commit after which the next frame follows.
struct LogAddress: Hashable, Sendable {
    var segment: UInt64
    var position: LogPosition

    var lsn: LSN { position.lsn }
    var chain: ChainHash { position.chain }
}
