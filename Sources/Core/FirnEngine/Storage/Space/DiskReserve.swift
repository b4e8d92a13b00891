import FirnValues

/// Disk blocks that are allocated after the end of a file for transactions that only remove.
///
/// A removal makes the file grow before it frees anything: changed pages are written to other
/// places, and the old pages stay until no readable root needs them. Without a reserve, no
/// transaction could free space on a full disk.
///
///     | pages of the newest root | reserve | for the log |
///     0                         end
///
/// - A commit that extends the file first allocates the reserve after its new end. If the disk is
///   too full for that, the commit is refused, and nothing is lost. A commit that only removes
///   continues without the allocation. If the disk does not have the same amount again, this commit
///   also drops the unnamed history. The next commit then finds the space of older roots, so that a
///   small reserve is enough for any number of removals.
/// - A commit to the log needs pages later. While commits wait to be folded, twice their size is
///   allocated as well, so that the log can be folded on a full disk. A log segment reserves as many
///   bytes as it grows by.
/// - The size of the file does not include the reserve. Truncating the file releases the reserve, and
///   the truncating code allocates it again.
///
/// File systems that cannot allocate blocks have no reserve. File systems that write every change to
/// a new place (btrfs, ZFS, APFS) may need additional blocks even for a write to allocated ones.
struct DiskReserve: Hashable, Sendable {
    /// The end of the file when the reserve was allocated.
    let fileEnd: UInt64
    /// The end of the blocks that are known to be allocated.
    let end: UInt64

    /// The reserve on file systems that cannot allocate blocks: it covers everything.
    static let unsupported = DiskReserve(fileEnd: 0, end: .max)

    /// The approximate maximum that a removal writes.
    ///
    /// It consists of the delete marks of row groups (2 KiB each) and their leaf, paths in indexes, a
    /// blob of commits (64 KiB), the catalog, and the free space, which grows with the file.
    private static let byteCountMaximum: UInt64 = 1 << 20
    private static let fileShare: UInt64 = 16

    /// Returns the size of the reserve of a file: a sixteenth of the file, within the limits.
    static func byteCount(ofFile fileByteCount: UInt64, minimum: UInt64) -> UInt64 {
        min(max(minimum, fileByteCount / fileShare), max(minimum, byteCountMaximum))
    }

    /// Returns the bytes of pages that the commits of a log may become.
    ///
    /// Pages are usually smaller than the operations that they come from. Indexes and merged row groups
    /// need additional space.
    static func byteCount(ofLog logByteCount: UInt64) -> UInt64 { 2 * logByteCount }

    /// Whether this reserve has a number of bytes after another end.
    ///
    /// A file with an earlier end was truncated, so that this reserve is out of date.
    func covers(_ byteCount: UInt64, behind otherEnd: UInt64) -> Bool {
        otherEnd >= fileEnd && end >= otherEnd && end - otherEnd >= byteCount
    }
}
