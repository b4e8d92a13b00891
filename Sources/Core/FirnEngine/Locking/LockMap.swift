import FirnPlatform

/// The bytes of the database file that processes lock to coordinate.
///
/// They lie far beyond any content and do not exist. Their locks therefore work on read-only
/// descriptors and end with their process.
///
///     2^61 + v            pin: shared while a process reads root v      (v < 2^59)
///     2^61 + 2^60 + 0     writer: exclusive while a transaction is open
///                   + 1   sync: exclusive while one process syncs the log for all
///                   + 2   checkpoint: exclusive while pages are written for a new root
///                   + 3   session: shared by all processes that have the log open for writing;
///                         exclusive, and only together with the writer lock, to make, recover or
///                         end the log
///                   + 4   compaction: exclusive for the whole of a compaction
///                   + 5   waiting: shared while a process waits for commits without a log
///                   + 6   region: exclusive while the shared memory of a log is made, shared while
///                         that of waiting processes is made or removed
///
/// Order: compaction, writer, checkpoint, sync. The session lock is never waited for.
enum LockMap {
    private static let pinBase: UInt64 = 1 << 61
    private static let namedBase: UInt64 = (1 << 61) + (1 << 60)

    static let writer = LockRange(start: namedBase)
    static let sync = LockRange(start: namedBase + 1)
    static let checkpoint = LockRange(start: namedBase + 2)
    static let session = LockRange(start: namedBase + 3)
    static let compaction = LockRange(start: namedBase + 4)
    static let waiting = LockRange(start: namedBase + 5)
    static let region = LockRange(start: namedBase + 6)

    static func pin(_ version: RootVersion) -> LockRange {
        LockRange(start: pinBase + version.rawValue)
    }

    /// The pins of all roots.
    static let allPins = LockRange(start: pinBase, length: namedBase - pinBase)

    /// Returns the pins of all roots up to and including a given one.
    static func pins(through version: RootVersion) -> LockRange {
        LockRange(start: pinBase, length: version.rawValue + 1)
    }

    /// Returns the root of a lock within the pins.
    static func version(of range: LockRange) -> RootVersion {
        RootVersion(range.start - min(range.start, pinBase))
    }
}
