import FirnEngine

/// Where values are kept that a quantile needs, and that do not fit into memory.
struct SampleSpill {
    private let snapshot: Snapshot

    /// - Parameter snapshot: the snapshot that a statement reads.
    init(of snapshot: Snapshot) { self.snapshot = snapshot }

    /// The memory in bytes that the values of one aggregate may take on each thread.
    var byteCountMax: Int { snapshot.statementByteCount / 16 }

    /// Creates a temporary file.
    func makeFile() throws(StoreError) -> SpillFile { try snapshot.makeSpillFile() }
}
