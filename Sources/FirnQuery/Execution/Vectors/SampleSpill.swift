import FirnEngine

/// The limits and the temporary files of values that a quantile needs.
struct SampleSpill {
    private let snapshot: Snapshot

    /// - Parameter snapshot: the snapshot that a statement reads.
    init(of snapshot: Snapshot) { self.snapshot = snapshot }

    /// The memory in bytes that the values of one aggregate may take in one part of the rows.
    ///
    /// There are up to eight parts at the same time, and an array takes up to twice its size.
    var byteCountMax: Int { snapshot.statementByteCount / 64 }

    /// The number of values that may be read at the same time.
    var readCountMax: Int { max(1, snapshot.statementByteCount / 16 / MemoryLayout<Double>.size) }

    /// Creates a temporary file.
    func makeFile() throws(StoreError) -> SpillFile { try snapshot.makeSpillFile() }
}
