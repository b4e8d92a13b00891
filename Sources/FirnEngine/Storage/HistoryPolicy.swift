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

    /// Returns the most bytes of pages that older unnamed versions may keep.
    ///
    /// It is a quarter of the file, but at least 1 MiB.
    static func heldByteCountMaximum(fileByteCount: UInt64) -> UInt64 {
        max(1 << 20, fileByteCount / 4)
    }
}
