import FirnValues

/// The operations of the newest commits, as this process has just read them from the log.
///
/// An observer first takes the newest version and then asks for the commits that led to it. With
/// this cache, their frames are not read and verified a second time.
struct RecentCommits: Sendable {
    struct Commit: Sendable {
        let operations: RecordedOperations
        /// The commit time in nanoseconds since 1970.
        let time: Int64
    }

    /// The most bytes of the operations of all commits together.
    ///
    /// Above it the frames are read again, which costs little compared with processing their
    /// operations.
    private static let byteCountMaximum = 16 << 10
    private static let commitCountMaximum: UInt64 = 64

    /// The version before the first commit.
    let start: LSN
    private(set) var last: LSN
    private(set) var commits: [Commit] = []
    private var byteCount = 0
    /// Whether there are more commits than are kept.
    private var isFull = false

    /// - Parameter end: The last version that will be added.
    init(after start: LSN, through end: LSN) {
        self.start = start
        last = start
        isFull = end.rawValue &- start.rawValue > RecentCommits.commitCountMaximum
    }

    /// Adds the next commit.
    ///
    /// - Parameters:
    ///   - count: The number of its operations.
    ///   - bytes: Its encoded operations.
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

    /// Returns the commits between two versions, or `nil` if they are not exactly these.
    func commits(after start: LSN, through last: LSN) -> [Commit]? {
        start == self.start && last == self.last && !isFull ? commits : nil
    }
}
