import FirnEngine
import FirnPlatform
import FirnValues

/// The results of the partitions of a scan, which are merged in their order as soon as possible.
///
///     partition   0    1    2    3    4
///                 merged    |    waits for 2
///                           in progress
///
/// Few results are in memory at the same time, and one thread merges while others scan.
final class PartitionResults<Consumer: ScanConsumer>: @unchecked Sendable {
    private let lock = Lock()
    // Protected by the lock. A result is used by one thread at a time: by the one that computes it,
    // and then by the one that merges it.
    private var waiting: [Consumer?]
    private var arrivedCount = 0
    private var mergedCount = 0
    private var isMerging = false
    /// The result of the leading partitions, which only the merging thread uses.
    private var merged: Consumer?

    init(count: Int) { waiting = Array(repeating: nil, count: count) }

    /// Adds the result of a partition, and merges consecutive results.
    func add(_ result: consuming Consumer, of partition: Int) throws(StoreError) {
        lock.lock()
        defer { lock.unlock() }
        waiting[partition] = result
        guard !isMerging else { return }
        isMerging = true
        defer { isMerging = false }
        while mergedCount < waiting.count, let next = waiting[mergedCount].take() {
            mergedCount += 1
            guard var whole = merged.take() else {
                merged = next
                continue
            }
            lock.unlock()
            defer { lock.lock() }
            try whole.merge(next)
            merged = whole
        }
    }

    /// Adds the result of a thread as the result of the next partition.
    func add(_ result: consuming Consumer) throws(StoreError) {
        let partition = lock.withLock {
            defer { arrivedCount += 1 }
            return arrivedCount
        }
        try add(result, of: partition)
    }

    /// Returns the result of all partitions after all threads have ended; `nil` if there are none.
    func whole() -> Consumer? { lock.withLock { merged.take() } }
}
