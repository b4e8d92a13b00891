import FirnValues

extension PendingCommit {
    /// The work of one process on pending commits, kept with its log attachment.
    ///
    /// It is valid for one attachment: in another one, the same number may denote another commit.
    struct Preparation: Sendable {
        var spin = AdaptiveSpin()
        /// The commits that led to the most recently derived version.
        var commits = RecentCommits(after: .zero, through: .zero)
        /// The changes in the newest prepared version since the previous version, as far as they
        /// were requested.
        var changes: VersionChanges?

        /// Returns the changes between two versions if they were computed in advance.
        func changes(from start: LSN, to last: LSN) -> VersionChanges? {
            changes.flatMap { $0.from == start && $0.to == last ? $0 : nil }
        }
    }

    /// A heuristic that decides whether to spin briefly until a sync is done.
    ///
    /// A core that goes to sleep during the sync needs more time to wake up than for the remaining
    /// work on a prepared commit. If syncs are slow, spinning is only a waste: each unsuccessful
    /// spin increases the number of waits that do not spin.
    struct AdaptiveSpin: Sendable {
        /// A fast disk completes a sync within this time.
        static let nanoseconds: UInt64 = 100_000
        private static let pauseMaximum = 256

        private var pause = 0
        private var rest = 0

        /// - Returns: Whether to spin now.
        mutating func begin() -> Bool {
            guard rest == 0 else {
                rest -= 1
                return false
            }
            return true
        }

        /// - Parameter wasFruitful: Whether the sync was done in time.
        mutating func end(_ wasFruitful: Bool) {
            pause = wasFruitful ? 0 : min(2 * pause + 1, AdaptiveSpin.pauseMaximum)
            rest = pause
        }
    }

    /// The operations of the newest commits, as this process has just read them from the log.
    ///
    /// An observer first takes the newest version and then asks for the commits that led to it.
    /// With this cache, their frames are not read and verified a second time.
    struct RecentCommits: Sendable {
        struct Commit: Sendable {
            let operations: RecordedOperations
            /// The commit time in nanoseconds since 1970.
            let time: Int64
        }

        /// The maximum number of bytes of the operations of all commits together.
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

        /// Returns the commits between two versions, or `nil` if other commits are kept.
        func commits(after start: LSN, through last: LSN) -> [Commit]? {
            start == self.start && last == self.last && !isFull ? commits : nil
        }
    }
}
