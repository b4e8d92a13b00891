import FirnValues

/// Chooses the root that each frozen version is read from.
///
/// This is the newest kept root that the version can be reached from, with one exception: the current
/// root is not kept for a freeze if an older root has the same objects. So freezes between which
/// nothing changes share a root, and each costs its own commit only.
struct FreezeBases {
    /// The bytes that the commits between a shared root and the version take at most.
    static let byteCountMaximum: UInt64 = 16 * 1024
    /// The number of these commits, at most.
    static let commitCountMaximum: UInt64 = 256

    private let kept: [HistoryPlan.Candidate]
    private let current: HistoryPlan.Candidate?
    private let spans: [HistoryPlan.Span]
    private let runs: FrameRuns

    /// - Parameters:
    ///   - kept: the roots before the current one that are still whole, ascending.
    ///   - current: the root that is being replaced, if it may be kept.
    ///   - spans: the commits that are there, ascending.
    init(
        kept: [HistoryPlan.Candidate], current: HistoryPlan.Candidate?,
        spans: [HistoryPlan.Span], runs: FrameRuns
    ) {
        self.kept = kept
        self.current = current
        self.spans = spans
        self.runs = runs
    }

    /// The root of a version; `nil` if no root leads to it.
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

    /// The newest kept root from which the commits lead to a version.
    private func nearest(to version: LSN) -> HistoryPlan.Candidate? {
        guard let end = Bisection.lastIndex(in: kept, { $0.lsn <= version }) else { return nil }
        return kept[...end].last { runs.cover(after: $0.lsn, through: version) }
    }

    private func isNear(_ root: HistoryPlan.Candidate, _ version: LSN) -> Bool {
        version.rawValue - root.lsn.rawValue <= FreezeBases.commitCountMaximum
            && byteCount(after: root.lsn, through: version) <= FreezeBases.byteCountMaximum
    }

    /// The bytes of commits, as if all commits of a span had the same size.
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
