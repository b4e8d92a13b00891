/// How many of the versions before the newest stay readable without a name.
package struct HistoryPolicy: Hashable, Sendable {
    /// Bytes of commits, as the log has them; 0: no version but the newest.
    package var byteCount: Int
    /// Commits; 0: no version but the newest.
    package var commitCount: Int

    package init(byteCount: Int = 16 * 1024 * 1024, commitCount: Int = 1000) {
        self.byteCount = byteCount
        self.commitCount = commitCount
    }

    /// No version but the newest, and those with names.
    package static let off = HistoryPolicy(byteCount: 0, commitCount: 0)

    var isOff: Bool { byteCount <= 0 || commitCount <= 0 }

    /// The most bytes of pages that older versions without a name may keep.
    ///
    /// A quarter of the file, but at least as much as nobody minds.
    static func heldByteCountMaximum(fileByteCount: UInt64) -> UInt64 {
        max(1 << 20, fileByteCount / 4)
    }
}
