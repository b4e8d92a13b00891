extension Snapshot {
    /// Returns a sorter of more numbers than fit into memory, with its temporary file.
    ///
    /// - Throws: ``StoreError`` with `permissionDenied`, `diskFull` or `inputOutput`.
    package func makeSortedRuns() throws(StoreError) -> SortedRuns {
        try SortedRuns(of: path, services: pages.services)
    }
}
