import FirnValues

/// The older roots and commits that a new root keeps.
///
/// The plan is a pure function of its arguments.
///
/// - Freezes keep a root before them, see ``FreezeBases``, and the commits from there.
/// - The history keeps its oldest root H and all commits since then. It also keeps the roots after
///   commits that wrote pages, because later versions cannot be reached otherwise. A younger root M
///   is kept when it is half of the policy away from H: when H leaves the policy, M becomes H, so
///   that at least half of the policy always stays readable. For the same reason a root outside of
///   the policy is kept if the roots inside reach less than half of it: a checkpoint may fold more
///   commits at once than the policy allows.
/// - If pages that only the history keeps take too much space, its oldest roots are dropped.
struct HistoryPlan: Hashable, Sendable {
    /// A root that is still intact.
    struct Candidate: Hashable, Sendable {
        let version: RootVersion
        let lsn: LSN
        /// The catalog; roots with the same one have the same objects.
        var content: PageReference?
    }

    /// Consecutive commits.
    struct Span: Hashable, Sendable {
        let first: LSN
        let last: LSN
        let byteCount: UInt64
        let barriers: [LSN]
    }

    /// The roots to keep, ascending.
    private(set) var roots: [RootVersion] = []
    /// Whether each of the spans is kept.
    private(set) var keepsSpan: [Bool] = []
    /// The oldest version since which every version up to the newest can be read.
    private(set) var oldest: LSN

    /// Computes the plan.
    ///
    /// - Parameters:
    ///   - newest: The root that is being published.
    ///   - candidates: The roots that the current one keeps and, if it may be kept, itself;
    ///     ascending.
    ///   - spans: All available commits, including those of the new root; ascending.
    ///   - freezes: The versions that freezes keep.
    ///   - heldByteCountMaximum: The most bytes of pages that only the history keeps.
    ///   - held: Returns the bytes that each root of the first group alone keeps if the second
    ///     group is kept, too; see ``FreeSpace/heldByteCounts(by:besides:)``.
    init(
        newest: Candidate, candidates: [Candidate], spans: [Span], freezes: [LSN],
        policy: HistoryPolicy, heldByteCountMaximum: UInt64,
        held: (_ history: [RootVersion], _ others: [RootVersion]) -> [RootVersion: UInt64]
    ) {
        let input = PlanInput(
            newest: newest, candidates: candidates, spans: spans, runs: FrameRuns(spans),
            policy: policy)
        let frozen = input.bases(of: freezes)
        let frozenVersions = Set(frozen.map(\.base.version))
        var history = input.selected(from: input.chain())
        let alone = history.map(\.version).filter { !frozenVersions.contains($0) }
        let counts = held(alone, frozenVersions.sorted())
        var total = counts.values.reduce(0, +)
        while total > heldByteCountMaximum, !history.isEmpty {
            total -= counts[history.removeFirst().version] ?? 0
        }
        let oldest = history.first?.lsn ?? newest.lsn
        self.oldest = oldest
        roots = frozenVersions.union(history.map(\.version)).sorted()
        let stretches = FrozenStretches(frozen.map { ($0.base.lsn, $0.version) })
        keepsSpan = spans.map { span in
            (span.last > oldest && oldest < newest.lsn)
                || stretches.meet(first: span.first, last: span.last)
        }
    }
}

/// The commits that freezes need, in stretches from after one version up to another.
private struct FrozenStretches {
    /// Ascending.
    private let ends: [LSN]
    /// The smallest start among each stretch and all following ones.
    private let starts: [LSN]

    /// - Complexity: O(stretches · log stretches)
    init(_ stretches: [(start: LSN, end: LSN)]) {
        let sorted = stretches.sorted { $0.end < $1.end }
        ends = sorted.map(\.end)
        var starts = sorted.map(\.start)
        for index in starts.indices.dropLast().reversed() {
            starts[index] = min(starts[index], starts[index + 1])
        }
        self.starts = starts
    }

    /// Whether a stretch contains a commit of a span.
    func meet(first: LSN, last: LSN) -> Bool {
        let index = Bisection.lastIndex(in: ends) { $0 < first }.map { $0 + 1 } ?? 0
        return index < starts.count && starts[index] < last
    }
}

/// The input of the rules of a plan.
private struct PlanInput {
    let newest: HistoryPlan.Candidate
    let candidates: [HistoryPlan.Candidate]
    let spans: [HistoryPlan.Span]
    let runs: FrameRuns
    let policy: HistoryPolicy

    /// Returns the root for each freeze, except freezes of the new root itself and lost ones.
    func bases(of freezes: [LSN]) -> [(base: HistoryPlan.Candidate, version: LSN)] {
        let current = candidates.last.flatMap {
            $0.version.rawValue + 1 == newest.version.rawValue ? $0 : nil
        }
        let rule = FreezeBases(
            kept: current == nil ? candidates : Array(candidates.dropLast()), current: current,
            spans: spans, runs: runs)
        return freezes.compactMap { version in
            guard version < newest.lsn else { return nil }
            return rule.base(of: version).map { ($0, version) }
        }
    }

    /// Returns roots from which, taken together, all versions up to the newest are reached;
    /// ascending.
    ///
    /// All are within the policy, or all but the oldest.
    func chain() -> [HistoryPlan.Candidate] {
        guard !policy.isOff else { return [] }
        var chain: [HistoryPlan.Candidate] = []
        var reached = newest.lsn
        for candidate in candidates.reversed() where candidate.lsn < reached {
            let isInside = isWithinPolicy(candidate)
            guard isInside || isLast(candidate, before: reached),
                runs.cover(after: candidate.lsn, through: LSN(reached.rawValue - 1))
            else { break }
            chain.append(candidate)
            reached = candidate.lsn
            guard isInside else { break }
        }
        return chain.reversed()
    }

    /// Returns the fewest roots of a chain that reach the same versions, and one in the middle.
    func selected(from chain: [HistoryPlan.Candidate]) -> [HistoryPlan.Candidate] {
        var selected: [HistoryPlan.Candidate] = []
        var reached = LSN.zero
        for (index, root) in chain.enumerated() {
            let next = index + 1 < chain.count ? chain[index + 1] : newest
            guard let last = selected.last else {
                selected = [root]
                reached = runs.end(after: root.lsn)
                continue
            }
            let isNeeded = reached.rawValue < next.lsn.rawValue - 1
            guard isNeeded || isHalfOfPolicy(from: last, to: root) else { continue }
            selected.append(root)
            reached = max(reached, runs.end(after: root.lsn))
        }
        return selected
    }

    /// Whether a root outside of the policy is kept, because the roots after it reach too little.
    private func isLast(_ root: HistoryPlan.Candidate, before reached: LSN) -> Bool {
        newest.lsn.rawValue - reached.rawValue < UInt64(clamping: (policy.commitCount + 1) / 2)
            && byteCount(after: reached) < UInt64(clamping: (policy.byteCount + 1) / 2)
            && byteCount(after: root.lsn) <= UInt64(clamping: policy.byteCount)
    }

    private func isWithinPolicy(_ root: HistoryPlan.Candidate) -> Bool {
        newest.lsn.rawValue - root.lsn.rawValue <= UInt64(clamping: policy.commitCount)
            && byteCount(after: root.lsn) <= UInt64(clamping: policy.byteCount)
    }

    private func isHalfOfPolicy(
        from old: HistoryPlan.Candidate, to young: HistoryPlan.Candidate
    ) -> Bool {
        let commits = young.lsn.rawValue - old.lsn.rawValue
        let bytes = byteCount(after: old.lsn) - byteCount(after: young.lsn)
        return commits >= UInt64(clamping: (policy.commitCount + 1) / 2)
            || bytes >= UInt64(clamping: (policy.byteCount + 1) / 2)
    }

    /// Returns the size in bytes of the spans with commits after a version.
    private func byteCount(after version: LSN) -> UInt64 {
        spans.reversed().prefix { $0.last > version }.reduce(0) { $0 &+ $1.byteCount }
    }
}
