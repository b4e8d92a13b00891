import FirnValues

/// Computes the results of parts on several threads; they are taken in the order of the parts.
///
///     let work = OrderedWork(threadCount: 2) { (block: Block) in count(block) }
///     while let block = next() {
///         work.add(block)
///         if work.count > 4, let result = work.takeNext() { use(result) }
///     }
///     while let result = work.takeNext() { use(result) }
///
/// One thread adds parts and takes results. It computes parts, too, while it would have to wait.
/// The number of parts that were added and not taken bounds the memory; the caller chooses it.
package final class OrderedWork<Part: Sendable, Output: Sendable> {
    private let queue: WorkQueue<Part, Output>
    private let threadCount: Int
    private var workers: [WorkerThread] = []
    /// The number of parts whose results have not been taken.
    package private(set) var count = 0

    /// - Parameters:
    ///   - threadCount: The number of threads, the calling one included. Fewer work if the system
    ///     has no more.
    ///   - body: Computes the result of a part.
    package init(threadCount: Int, _ body: @escaping @Sendable (Part) -> Output) {
        self.threadCount = threadCount
        queue = WorkQueue(body)
    }

    /// Drops the parts that have not been computed, and waits for the threads.
    deinit {
        queue.end()
        for worker in workers { worker.join() }
    }

    /// Adds a part after all others.
    package func add(_ part: Part) {
        count += 1
        queue.add(part)
        let queue = queue
        if workers.count + 1 < min(threadCount, count + 1),
            let worker = try? WorkerThread({ queue.run() })
        {
            workers.append(worker)
        }
    }

    /// Returns the result of the oldest part whose result has not been taken, or `nil` if there is
    /// none.
    package func takeNext() -> Output? {
        guard count > 0 else { return nil }
        count -= 1
        return queue.takeFirst()
    }
}

/// The parts that wait for a thread, and the results that wait for the caller.
private final class WorkQueue<Part: Sendable, Output: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    /// Signals new parts to the threads, and new results to the caller.
    private let change = Condition()
    private let body: @Sendable (Part) -> Output

    // Protected by the lock.
    private var waiting: [(number: Int, part: Part)] = []
    private var results: [Int: Output] = [:]
    private var addedCount = 0
    private var takenCount = 0
    private var hasEnded = false

    init(_ body: @escaping @Sendable (Part) -> Output) { self.body = body }

    func add(_ part: Part) {
        lock.withLock {
            waiting.append((addedCount, part))
            addedCount += 1
        }
        change.wakeAll()
    }

    func end() {
        lock.withLock {
            hasEnded = true
            waiting.removeAll()
        }
        change.wakeAll()
    }

    /// Computes parts until ``end()``.
    func run() {
        while true {
            lock.lock()
            while waiting.isEmpty, !hasEnded { change.wait(lock) }
            let next = waiting.isEmpty ? nil : waiting.removeFirst()
            lock.unlock()
            guard let next else { return }
            compute(next)
            change.wakeAll()
        }
    }

    /// Returns the next result; computes other parts until a thread has it.
    func takeFirst() -> Output {
        lock.lock()
        while true {
            if let output = results.removeValue(forKey: takenCount) {
                takenCount += 1
                lock.unlock()
                return output
            }
            // The first part is waiting before all others, or a thread computes it.
            guard !waiting.isEmpty else {
                change.wait(lock)
                continue
            }
            let next = waiting.removeFirst()
            lock.unlock()
            compute(next)
            lock.lock()
        }
    }

    private func compute(_ next: (number: Int, part: Part)) {
        let output = body(next.part)
        lock.withLock { results[next.number] = output }
    }
}
