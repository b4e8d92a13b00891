import FirnEngine

/// A result that is computed from the rows of a scan, and can be computed in parts.
protocol ScanConsumer: SendableMetatype {
    mutating func add(_ batch: RowBatch) throws(StoreError)
    /// Ends the result after its last row.
    mutating func finish() throws(StoreError)
    /// Adds the result of rows that come after the rows of this instance.
    mutating func merge(_ later: Self) throws(StoreError)
    /// Whether the results of all threads together need more memory than allowed, so that none of
    /// them is complete.
    var isGivenUp: Bool { get }
}

extension ScanConsumer {
    var isGivenUp: Bool { false }
    mutating func finish() {}
}

/// A result that is the same for any order of the partitions of a scan.
protocol UnorderedScanConsumer: ScanConsumer {
    /// Announces the row groups of the rows that are added next.
    mutating func begin(_ groups: Range<Int>)
}

/// The number of the rows of a scan.
struct RowCount: ScanConsumer {
    private(set) var count: Int64 = 0

    mutating func add(_ batch: RowBatch) { count += Int64(batch.count) }

    mutating func merge(_ later: RowCount) { count += later.count }
}
