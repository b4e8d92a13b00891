import FirnEngine
import FirnPlatform
import FirnValues

/// The state shared by threads that work on the parts of a scan or of a grouping.
final class SharedScan: @unchecked Sendable {
    /// The maximum number of partitions and of threads, each of which needs its own memory.
    private static let partitionCountMax = 8
    /// The interval at which a waiting caller checks for cancellation.
    private static let checkInterval: UInt64 = 20_000_000

    private let lock = Lock()
    private let changed = Condition()
    // Protected by the lock.
    private var partition = 0
    private var endedCount = 0
    private var readers: [SnapshotReader] = []
    private var workerRowCount = 0
    private var error: StoreError?
    private var isCancelled = false
    private var hasEnded = false

    /// Divides row groups into partitions, at least one.
    ///
    /// Their number does not depend on the number of threads.
    ///
    /// - Parameter groupsPerPartition: the number of row groups that make a partition worthwhile.
    static func partitions(of groupCount: Int, groupsPerPartition: Int) -> [Range<Int>] {
        let count = max(1, min(partitionCountMax, groupCount / groupsPerPartition))
        return (0..<count).map { groupCount * $0 / count..<groupCount * ($0 + 1) / count }
    }

    /// Whether the other threads should give up.
    var isStopped: Bool { lock.withLock { error != nil || isCancelled } }

    /// The first failure.
    private var failure: StoreError? { lock.withLock { error } }

    /// The number of rows that other threads have read, until the caller knows their readers.
    var rowCount: Int { lock.withLock { workerRowCount } }

    func noteRows(_ count: Int) { lock.withLock { workerRowCount += count } }

    /// Runs work on several threads, including the calling one.
    ///
    /// - Parameter work: takes parts until there are none left, with the reader of its thread.
    /// - Returns: the number of threads, which is smaller than wanted if the system has no more.
    func run(
        on threadCount: Int, _ reader: SnapshotReader,
        _ work: @escaping @Sendable (_ reader: SnapshotReader, _ isCaller: Bool) -> Void
    ) throws(StoreError) -> Int {
        let (snapshot, joins) = (reader.snapshot, reader.joins)
        var workers: [WorkerThread] = []
        for _ in 1..<max(1, threadCount) {
            guard
                let worker = try? WorkerThread({ [self] in
                    let reader = SnapshotReader(snapshot, joins: joins) { self.isStopped }
                    work(reader, false)
                    workerEnded(reader)
                })
            else { break }
            workers.append(worker)
        }
        work(reader, true)
        waitForWorkers(workers.count, isStopped: reader.isStopped)
        for worker in workers { worker.join() }
        for other in takeReaders() { try reader.noteReads(of: other) }
        if let failure { throw failure }
        return workers.count + 1
    }

    /// Computes the results of parts on several threads.
    ///
    /// - Parameter compute: computes the result of a part, with the reader of its thread.
    /// - Returns: the results in the order of the parts.
    static func results<Result: Sendable>(
        of count: Int, _ reader: SnapshotReader,
        _ compute:
            @escaping @Sendable (
                _ part: Int, _ reader: SnapshotReader
            ) throws(StoreError) -> Result
    ) throws(StoreError) -> [Result] {
        let shared = SharedScan()
        let results = Guarded([Result?](repeating: nil, count: count))
        let threadCount = min(count, Environment.processorCount, partitionCountMax)
        _ = try shared.run(on: threadCount, reader) { reader, _ in
            do throws(StoreError) {
                while let part = shared.nextPartition(of: count) {
                    try reader.checkStopped()
                    let result = try compute(part, reader)
                    results.withLock { $0[part] = result }
                }
            } catch { shared.fail(error) }
        }
        return results.withLock { $0 }.compactMap { $0 }
    }

    /// Takes the next partition; `nil` if none is left, or if one has failed.
    func nextPartition(of count: Int) -> Int? {
        lock.withLock {
            guard error == nil, !hasEnded, partition < count else { return nil }
            defer { partition += 1 }
            return partition
        }
    }

    /// Stops the threads from taking further partitions.
    func end() { lock.withLock { hasEnded = true } }

    func fail(_ failure: StoreError) {
        lock.withLock { if error == nil { error = failure } }
    }

    /// Records the end of a thread, which no longer uses its reader.
    private func workerEnded(_ reader: SnapshotReader) {
        lock.withLock {
            endedCount += 1
            readers.append(reader)
            changed.wakeAll()
        }
    }

    /// Waits until other threads have ended.
    ///
    /// - Parameter isStopped: whether the query was cancelled, which makes them end early.
    private func waitForWorkers(_ count: Int, isStopped: () -> Bool) {
        lock.lock()
        while endedCount < count {
            if changed.wait(lock, nanoseconds: Self.checkInterval) { continue }
            // The callback of the caller may take other locks.
            lock.unlock()
            let stops = isStopped()
            lock.lock()
            isCancelled = isCancelled || stops
        }
        lock.unlock()
    }

    /// Returns the readers of the threads that have ended.
    private func takeReaders() -> [SnapshotReader] {
        lock.withLock {
            defer { (readers, workerRowCount) = ([], 0) }
            return readers
        }
    }
}
