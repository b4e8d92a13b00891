extension Snapshot {
    /// Returns a sorter of more numbers than fit into memory, with its temporary file.
    ///
    /// - Throws: ``StoreError`` with `permissionDenied`, `diskFull` or `inputOutput`.
    package func makeSortedRuns() throws(StoreError) -> SortedRuns {
        try SortedRuns(of: path, services: pages.services)
    }

    /// Returns a temporary file for rows that do not fit into memory.
    ///
    /// - Throws: ``StoreError`` with `permissionDenied`, `diskFull` or `inputOutput`.
    package func makeSpillFile() throws(StoreError) -> SpillFile {
        try SpillFile(of: path, services: pages.services)
    }

    /// The memory in bytes that a statement uses for rows before it writes them to a temporary file.
    package var statementByteCount: Int { pages.statementByteCount }
}
