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
            let frozen = Set(
                step.freezes.compactMap { version in
                    // A freeze keeps the newest root that is not newer than it.
                    history.roots.last { $0.lsn <= version }?.version
                })
            return step.freezes.isEmpty
                ? !(history.roots.isEmpty && history.chunks.isEmpty)
                : history.roots.count > frozen.count
        }
        if case .published = outcome { return 0 }
        return nil
    }
}
