package import FirnCodec

/// How a database file is made and read.
package struct StoreOptions: Sendable {
    /// The most rows of a row group, 1 to 65,536; fixed when a file is created.
    ///
    /// <doc:FileFormat> has the measurements behind the default.
    package var rowsPerGroup = 16_384
    /// Raw bytes at which a row group is closed before it has its full number of rows.
    ///
    /// Bounds the memory of a load and the size of a page; at most 32 MiB.
    package var bytesPerGroup = StoreOptions.bytesPerGroupMaximum
    package var compression = CompressionLevel.fast
    /// Bytes of decoded pages to keep in memory.
    package var cacheByteBudget = 64 * 1024 * 1024
    /// Bytes of recorded operations from which on a transaction writes pages instead.
    package var recordedByteCountMaximum = 4 * 1024 * 1024

    /// How many of the versions before the newest stay readable.
    package var history = HistoryPolicy()

    /// From how many bytes on, that only the root before the current one needs, a writer that did
    /// not commit the current root itself makes sure that it is on disk, to use them.
    var waitingByteCountMinimum = 64 * 1024

    /// How many bytes of the disk are kept behind the end of the file at least; see ``DiskReserve``.
    var reserveByteCountMinimum: UInt64 = 64 * 1024

    /// When commits go to a log beside the file.
    package enum Logging: Sendable {
        /// From the second commit of a handle on, and always while others have the log open.
        case automatic
        /// Only while others have the log open.
        case never
        /// From the first commit on.
        case always
    }

    package var logging = Logging.automatic
    /// Bytes of the log that wait to be folded, at which writers wait for a checkpoint.
    package var logByteCountMaximum: UInt64 = 16 << 20
    /// By how many bytes the log grows at a time; they are zeros on disk before a commit uses them.
    var logStepByteCount: UInt64 = 256 * 1024
    /// Whether a handle that commits repeatedly folds the log on a thread of its own; else only
    /// `checkpoint()`, a full log and `close()` do.
    package var checkpointsInBackground = true

    /// Far below what a page may hold, also after patches.
    static let bytesPerGroupMaximum = 32 * 1024 * 1024

    package init() {}
}
