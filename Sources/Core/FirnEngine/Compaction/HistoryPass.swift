import FirnValues

/// A pass that drops the unnamed versions before the newest.
///
/// Every root of a compaction drops them; this one is published for no other purpose, so that the
/// following passes can use the space.
struct HistoryPass: CompactionPass {
    private var isDone = false

    mutating func advance(_ compactor: inout Compactor) throws(StoreError) -> UInt64? {
        guard !isDone else { return nil }
        isDone = true
        let outcome = try compactor.step { step throws(StoreError) in
            let history = step.writer.history
            let plan = HistoryPass.plan(for: history, step)
            return plan.roots.count < history.roots.count || plan.keepsSpan.contains(false)
        }
        if case .published = outcome { return 0 }
        return nil
    }

    /// Returns the plan for the history that only freezes keep.
    private static func plan(for history: History, _ step: CompactionStep) -> HistoryPlan {
        HistoryPlan(
            newest: HistoryPlan.Candidate(
                version: step.writer.space.building, lsn: step.root.superblock.lsn),
            candidates: history.roots.map {
                HistoryPlan.Candidate(version: $0.version, lsn: $0.lsn)
            },
            spans: history.chunks.map(\.span),
            freezes: history.freezes.versions.map(\.version) + step.loggedFreezes, policy: .off,
            heldByteCountMaximum: 0, held: { _, _ in [:] })
    }
}
