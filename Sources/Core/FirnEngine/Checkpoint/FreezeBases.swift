import FirnValues

/// The choice of the root from which each frozen version is read.
///
/// It is the newest kept root from which the version can be reached, with one exception: the
/// current root is not kept for a freeze if an older root has the same objects. Freezes without
/// changes between them therefore share a root, and each costs only its own commit.
struct FreezeBases {
    /// The largest size in bytes of the commits between a shared root and the version.
    static let byteCountMaximum: UInt64 = 16 * 1024
    /// The maximum number of these commits.
    static let commitCountMaximum: UInt64 = 256

    private let kept: [HistoryPlan.Candidate]
    private let current: HistoryPlan.Candidate?
    private let spans: [HistoryPlan.Span]
    private let runs: FrameRuns

    /// - Parameters:
    ///   - kept: The roots before the current one that are still intact, ascending.
    ///   - current: The root that is being replaced, if it may be kept.
    ///   - spans: The available commits, ascending.
    init(
        kept: [HistoryPlan.Candidate], current: HistoryPlan.Candidate?,
        spans: [HistoryPlan.Span], runs: FrameRuns
    ) {
        self.kept = kept
        self.current = current
        self.spans = spans
        self.runs = runs
    }

    /// Returns the root of a version, or `nil` if the version cannot be reached from any root.
    ///
    /// - Complexity: O(log roots); for versions of the current root also O(spans)
    func base(of version: LSN) -> HistoryPlan.Candidate? {
        let older = nearest(to: version)
        guard let current, current.lsn <= version,
            runs.cover(after: current.lsn, through: version)
        else { return older }
        guard let older, older.content != nil, older.content == current.content,
            isNear(older, version)
        else { return current }
        return older
    }

    /// Returns the newest kept root from which the commits lead to a version.
    private func nearest(to version: LSN) -> HistoryPlan.Candidate? {
        guard let end = Bisection.lastIndex(in: kept, { $0.lsn <= version }) else { return nil }
        return kept[...end].last { runs.cover(after: $0.lsn, through: version) }
    }

    private func isNear(_ root: HistoryPlan.Candidate, _ version: LSN) -> Bool {
        version.rawValue - root.lsn.rawValue <= FreezeBases.commitCountMaximum
            && byteCount(after: root.lsn, through: version) <= FreezeBases.byteCountMaximum
    }

    /// Returns the size of commits in bytes, assuming that all commits of a span have the same
    /// size.
    private func byteCount(after start: LSN, through end: LSN) -> UInt64 {
        spans.reversed().prefix { $0.last > start }.reduce(0) { sum, span in
            let first = max(span.first.rawValue, start.rawValue &+ 1)
            let last = min(span.last.rawValue, end.rawValue)
            guard first <= last else { return sum }
            let count = span.last.rawValue - span.first.rawValue + 1
            let part = Double(last - first + 1) / Double(count)
            return sum &+ UInt64(Double(span.byteCount) * part)
        }
    }
}
