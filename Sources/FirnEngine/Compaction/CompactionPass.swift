import FirnValues

/// One thing that a compaction does to all of a database, piece by piece.
protocol CompactionPass {
    /// Does one piece.
    ///
    /// - Returns: how many bytes were looked at; `nil` if there is nothing left to do.
    mutating func advance(_ compactor: inout Compactor) throws(StoreError) -> UInt64?
}

/// All passes, one after the other.
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
