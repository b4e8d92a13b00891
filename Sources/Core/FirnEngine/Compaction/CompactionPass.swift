import FirnValues

/// A pass of a compaction over a whole database, piece by piece.
protocol CompactionPass {
    /// Processes one piece.
    ///
    /// - Returns: The number of bytes read; `nil` if the pass is complete.
    mutating func advance(_ compactor: inout Compactor) throws(StoreError) -> UInt64?
}

/// All passes in sequence.
struct CompactionPasses: CompactionPass {
    private var passes: [any CompactionPass]

    init(_ store: Store) throws(StoreError) {
        passes = [HistoryPass()]
        for record in try store.snapshot().root.catalog.classes {
            passes.append(GroupPass(record.schema.id))
            passes.append(TreePass(record.schema.id))
            passes.append(DirectoryPass(record.schema.id))
        }
        passes.append(EvacuationPass())
        passes.append(TruncationPass())
        passes.reverse()
    }

    mutating func advance(_ compactor: inout Compactor) throws(StoreError) -> UInt64? {
        while var pass = passes.popLast() {
            if let byteCount = try pass.advance(&compactor) {
                passes.append(pass)
                return byteCount
            }
        }
        return nil
    }
}
