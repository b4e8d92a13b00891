import FirnPlatform

/// The bytes of the database file that processes lock to coordinate.
///
/// They lie far beyond any
/// content, do not exist, and so work on read-only descriptors and die with their process.
///
///     2^61 + v            pin: shared while a process reads root v      (v < 2^59)
///     2^61 + 2^60 + 0     writer: exclusive while a transaction writes
///     2^61 + 2^60 + 1     sync, + 2 checkpoint, + 3 session             (reserved)
///     2^61 + 2^60 + 16    compaction: exclusive, one at a time
enum LockMap {
    private static let pinBase: UInt64 = 1 << 61
    private static let namedBase: UInt64 = (1 << 61) + (1 << 60)

    static let writer = LockRange(start: namedBase)
    /// Held for as long as a compaction goes on, also between its steps.
    static let compaction = LockRange(start: namedBase + 16)

    static func pin(_ version: RootVersion) -> LockRange {
        LockRange(start: pinBase + version.rawValue)
    }

    /// The pins of all roots up to and with that one.
    static func pins(through version: RootVersion) -> LockRange {
        LockRange(start: pinBase, length: version.rawValue + 1)
    }

    /// The root that a lock inside of the pins stands for.
    static func version(of range: LockRange) -> RootVersion {
        RootVersion(range.start - min(range.start, pinBase))
    }
}
