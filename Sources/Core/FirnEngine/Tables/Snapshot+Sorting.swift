extension Snapshot {
    /// Returns a sorter, with its temporary file, for more numbers than fit into memory.
    ///
    /// - Throws: ``StoreError`` with `permissionDenied`, `diskFull` or `inputOutput`.
    package func makeSortedRuns() throws(StoreError) -> SortedRuns {
        try SortedRuns(of: path, services: pages.services)
    }

    /// Returns a place for rows of a statement, in memory and then in a temporary file.
    ///
    /// - Parameter memoryByteCount: the memory that the rows may take, in bytes.
    package func makeSpillFile(memoryByteCount: Int = 0) -> SpillFile {
        SpillFile(of: path, services: pages.services, memoryByteCount: memoryByteCount)
    }

    /// The memory in bytes that a statement uses for rows before it writes them to a temporary file.
    package var statementByteCount: Int { pages.statementByteCount }
}
