import FirnPlatform
import FirnValues

extension MemoryRowGroup {
    /// Returns the entries of an index that the rows have, ascending.
    ///
    /// - Parameter view: A view of the group, whose changes do not affect the entries.
    func entries(
        _ encoder: IndexEncoder, _ view: RowGroupView
    ) throws(StoreError) -> TreeEntries {
        if let known = columns.withLock({ $0.entries[encoder.index] }) { return known }
        var memory = SortMemory()
        try encoder.forEachEntry(of: view) { _, key in memory.append(key: key, value: .none) }
        let entries = try memory.sorted()
        columns.withLock { $0.entries[encoder.index] = entries }
        return entries
    }
}
