import FirnValues

/// Lets go of the versions before the newest that have no name.
///
/// Every root that a compaction makes does; this one is made for nothing else, so that the passes
/// behind it find the space.
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

    /// Decides what freezes alone keep.
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
