package import FirnCodec
import FirnValues

/// The options for creating and reading a database file.
package struct StoreOptions: Sendable {
    /// The maximum number of rows of a row group, from 1 to 65,536, fixed when a file is created.
    ///
    /// <doc:FileFormat> has the measurements behind the default.
    package var rowsPerGroup = 16_384
    /// The size in raw bytes at which a row group is closed even if it has fewer rows.
    ///
    /// It bounds the memory of a load and the size of a page; at most 32 MiB.
    package var bytesPerGroup = StoreOptions.bytesPerGroupMaximum
    package var compression = CompressionLevel.fast
    /// The size in bytes of the decoded pages to keep in memory.
    package var cacheByteBudget = 64 * 1024 * 1024
    /// The memory in bytes that a statement uses for the rows that it sorts, groups or joins before
    /// it writes them to a temporary file, and for new columns before it writes their pages.
    package var statementByteCount = 256 * 1024 * 1024
    /// The size in bytes of recorded operations above which a transaction writes pages instead.
    package var recordedByteCountMaximum = 4 * 1024 * 1024

    /// The limits on the versions before the newest that stay readable.
    package var history = HistoryPolicy()

    /// The amount of space, held only for the previous root, that is worth a sync.
    ///
    /// A writer that did not commit the current root syncs it from this number of bytes on, and
    /// then uses the space.
    var waitingByteCountMinimum = 64 * 1024

    /// The minimum size of the ``DiskReserve``, in bytes.
    var reserveByteCountMinimum: UInt64 = 64 * 1024

    /// The condition under which commits go to a log beside the file.
    package enum Logging: Sendable {
        /// Starting with the second commit of a handle, and always while other handles have the log
        /// open.
        case automatic
        /// Only while other handles have the log open.
        case never
        /// Starting with the first commit.
        case always
    }

    package var logging = Logging.automatic
    /// The number of bytes waiting to be folded above which writers wait for a checkpoint.
    package var logByteCountMaximum: UInt64 = 16 << 20
    /// The step in bytes by which the log grows, as zeros that are on disk before a commit uses
    /// them.
    var logStepByteCount: UInt64 = 256 * 1024
    /// Whether a handle that commits repeatedly folds the log on a background thread.
    ///
    /// Otherwise only `checkpoint()`, a full log and `close()` fold it.
    package var checkpointsInBackground = true

    /// A limit much lower than the limit of a page, so that patches also fit.
    static let bytesPerGroupMaximum = 32 * 1024 * 1024

    package init() {}
}

/// The limits on the older versions that stay readable without a name.
package struct HistoryPolicy: Hashable, Sendable {
    /// The size of the commits in bytes, in the format of the log; 0 keeps only the newest version.
    package var byteCount: Int
    /// The number of commits; 0 keeps only the newest version.
    package var commitCount: Int

    package init(byteCount: Int = 16 * 1024 * 1024, commitCount: Int = 1000) {
        self.byteCount = byteCount
        self.commitCount = commitCount
    }

    /// Keeps only the newest version and those with names.
    package static let off = HistoryPolicy(byteCount: 0, commitCount: 0)

    var isOff: Bool { byteCount <= 0 || commitCount <= 0 }

    /// Returns the maximum number of bytes of pages that older unnamed versions may keep.
    ///
    /// It is a quarter of the file, but at least 1 MiB.
    static func heldByteCountMaximum(fileByteCount: UInt64) -> UInt64 {
        max(1 << 20, fileByteCount / 4)
    }
}
