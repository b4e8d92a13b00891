import FirnValues

/// What the newest commits did, as this process has just read it from the log.
///
/// Whoever watches the data takes the newest version first, and asks what led to it next: then their
/// frames need not be read and checked once more.
struct RecentCommits: Sendable {
    struct Commit: Sendable {
        let operations: RecordedOperations
        /// In nanoseconds since 1970.
        let time: Int64
    }

    /// Of all commits; many are read again, which is little beside what else is done with them.
    private static let byteCountMaximum = 16 << 10
    private static let commitCountMaximum: UInt64 = 64

    /// The version before the first of them.
    let start: LSN
    private(set) var last: LSN
    private(set) var commits: [Commit] = []
    private var byteCount = 0
    /// Whether there are more than are kept.
    private var isFull = false

    /// - Parameter end: the last version that there is going to be.
    init(after start: LSN, through end: LSN) {
        self.start = start
        last = start
        isFull = end.rawValue &- start.rawValue > RecentCommits.commitCountMaximum
    }

    /// Adds the next commit.
    ///
    /// - Parameters:
    ///   - count: of its operations.
    ///   - bytes: its operations.
    mutating func append(
        _ version: LSN, count: Int, time: Int64, _ bytes: UnsafeRawBufferPointer
    ) {
        guard !isFull else { return }
        byteCount += bytes.count
        guard byteCount <= RecentCommits.byteCountMaximum else {
            isFull = true
            commits = []
            return
        }
        last = version
        commits.append(
            Commit(
                operations: RecordedOperations(bytes: Array(bytes), count: count), time: time))
    }

    /// The commits between two versions; `nil` if they are not just these.
    func commits(after start: LSN, through last: LSN) -> [Commit]? {
        start == self.start && last == self.last && !isFull ? commits : nil
    }
}
