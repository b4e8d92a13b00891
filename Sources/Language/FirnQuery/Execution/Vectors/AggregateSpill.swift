import FirnEngine
import FirnValues

/// The limits and the temporary files for values that aggregates keep.
struct AggregateSpill {
    private let snapshot: Snapshot
    /// The number of aggregates that keep distinct values.
    private let distinctCount: Int

    /// - Parameters:
    ///   - snapshot: the snapshot that a statement reads.
    ///   - functions: the aggregates that share the memory of the statement.
    init(of snapshot: Snapshot, for functions: [BoundAggregate.Function]) {
        self.snapshot = snapshot
        distinctCount = functions.count { $0 == .distinct }
    }

    /// The memory in bytes that the values of one quantile may take in one part of the rows.
    ///
    /// There are up to eight parts at the same time, and an array takes up to twice its size.
    var sampleByteCountMax: Int { snapshot.statementByteCount / 64 }

    /// The number of values of quantiles that may be read at the same time.
    var readCountMax: Int { max(1, snapshot.statementByteCount / 16 / MemoryLayout<Double>.size) }

    /// The memory in bytes that the distinct values of one aggregate may take.
    var distinctByteCountMax: Int { snapshot.statementByteCount / 8 / max(1, distinctCount) }

    /// Creates a temporary file.
    func makeFile() -> SpillFile { snapshot.makeSpillFile() }
}
