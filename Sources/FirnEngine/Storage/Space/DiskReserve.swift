/// Blocks of the disk that are kept behind the end of a file for transactions that only remove.
///
/// A removal makes the file grow before it frees anything: what it changes is written to other
/// places, and the old pages stay until no root that can be read needs them. On a full disk nobody
/// could ever free space, so every file keeps some for that:
///
///     | pages of the newest root | reserve | for the log |
///     0                         end
///
/// - A commit that makes the file longer first makes sure that the reserve stands behind its new end.
///   If the disk is too full for that, it is refused and nothing is lost. One that only removes goes
///   on without. If the disk has not as much again, it lets go of the history that nobody named: the
///   next one then finds the space of older roots, so that a small reserve is enough for any number
///   of removals.
/// - A commit to the log needs pages later: as long as the log is not folded, twice as much is kept.
///   So a log on a full disk can be folded. The segment itself keeps as much as it grows by.
/// - The size of the file stays as it is. Truncating gives the reserve back, so that whoever does that
///   makes it again.
///
/// File systems that cannot keep blocks have no reserve, and those that write every change to a new
/// place (btrfs, ZFS, APFS) may need blocks for a write into kept ones, too.
struct DiskReserve: Hashable, Sendable {
    /// The end of the file when the reserve was made.
    let fileEnd: UInt64
    /// The end of the blocks that are there for certain.
    let end: UInt64

    /// Where the file system keeps no blocks, nothing is ever missing.
    static let unsupported = DiskReserve(fileEnd: 0, end: .max)

    /// What a removal writes at most, about: the delete marks of row groups (2 KiB each) and their
    /// leaf, paths in indexes, a blob of commits (64 KiB), catalog and free space, of which the last
    /// grows with the file.
    private static let byteCountMaximum: UInt64 = 1 << 20
    private static let fileShare: UInt64 = 16

    /// The size of the reserve of a file: a sixteenth of it within the limits.
    static func byteCount(ofFile fileByteCount: UInt64, minimum: UInt64) -> UInt64 {
        min(max(minimum, fileByteCount / fileShare), max(minimum, byteCountMaximum))
    }

    /// Bytes of pages that commits of a log may become.
    ///
    /// Pages are mostly smaller than the operations that they come from; indexes and row groups that
    /// are joined with others come on top.
    static func byteCount(ofLog logByteCount: UInt64) -> UInt64 { 2 * logByteCount }

    /// Whether this is a reserve of so many bytes behind another end.
    ///
    /// A file that ends before it did was truncated, and what is known of it is out of date.
    func covers(_ byteCount: UInt64, behind otherEnd: UInt64) -> Bool {
        otherEnd >= fileEnd && end >= otherEnd && end - otherEnd >= byteCount
    }
}
