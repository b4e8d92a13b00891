import FirnPlatform
import FirnValues

/// The temporary file of a sorter and the sorted runs in it.
struct SortSpill {
    /// A run in a file.
    struct Run {
        let file: any File
        let offsets: Range<UInt64>
    }

    private let file: any File
    var path: String { file.path }
    private(set) var runs: [Run] = []
    /// The offset of the next run.
    private(set) var end: UInt64 = 0
    /// The shortest read of a run: shorter reads would cost more than another pass.
    private static let readByteCountMin = 32 * 1024

    init(beside path: String, services: SystemServices) throws(StoreError) {
        file = try SpillFile.unnamed(beside: path, services: services)
    }

    /// Returns a writer of the next run.
    func newRun() -> SortRunWriter { SortRunWriter(file: file, offset: end) }

    /// Writes the rest of a run.
    mutating func end(_ run: inout SortRunWriter) throws(StoreError) {
        try run.flush()
        runs.append(Run(file: file, offsets: end..<run.offset))
        end = run.offset
    }

    /// Appends the runs of another file after the runs of this one.
    mutating func append(_ other: SortSpill) { runs += other.runs }

    /// Visits the entries of all runs in order.
    mutating func merge(
        memoryByteCount: Int,
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        var merge = try merged(memoryByteCount: memoryByteCount)
        try merge.run(visit)
    }

    /// Returns the merge of all runs.
    ///
    /// It takes several passes if there are more runs than can be read at the same time.
    mutating func merged(memoryByteCount: Int) throws(StoreError) -> SortMerge {
        let width = max(2, memoryByteCount / SortSpill.readByteCountMin)
        while runs.count > width {
            // Neighbouring runs are merged, so that equal keys keep the order of the runs.
            let old = runs
            runs = []
            for first in stride(from: 0, to: old.count, by: width) {
                var merge = SortMerge(
                    old[first..<min(first + width, old.count)], memoryByteCount: memoryByteCount)
                var run = newRun()
                try merge.run { key, value throws(StoreError) in
                    try run.append(key: key, value: value)
                }
                try end(&run)
            }
        }
        return SortMerge(runs[...], memoryByteCount: memoryByteCount)
    }
}
