import FirnPlatform
import FirnValues

extension MemoryRowGroup {
    /// Whether the rows have values of a property.
    private func has(_ property: PropertyID) -> Bool {
        if let block { return block.index(of: property) != nil }
        return columns.withLock {
            $0.single[property] != nil || $0.collections[property] != nil
        }
    }

    /// Returns the entries of an index that the rows have, ascending.
    ///
    /// - Parameter view: A view of the group, whose changes do not affect the entries.
    func entries(
        _ encoder: IndexEncoder, _ view: RowGroupView
    ) throws(StoreError) -> TreeEntries {
        // The values of a newer property are not part of the rows.
        let isWhole = encoder.properties.allSatisfy { has($0.id) }
        if isWhole, let known = columns.withLock({ $0.entries[encoder.index] }) { return known }
        var memory = SortMemory()
        try encoder.forEachEntry(of: view) { _, key in memory.append(key: key, value: .none) }
        let entries = try memory.sorted()
        if isWhole { columns.withLock { $0.entries[encoder.index] = entries } }
        return entries
    }
}
