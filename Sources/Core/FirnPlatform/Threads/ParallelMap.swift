import FirnValues

/// Computes the results of independent parts on several threads.
package enum ParallelMap {
    /// Returns the result of each part, in the order of the parts.
    ///
    /// The threads take the parts in their order. The calling thread works, too. Fewer threads work
    /// if the system has no more.
    ///
    /// - Parameters:
    ///   - threadCount: The number of threads, the calling one included.
    ///   - body: Computes the result of a part.
    /// - Throws: The error of the first part that failed; parts after it may not have been
    ///   computed.
    package static func map<Part: Sendable, Output: Sendable, Failure: Error>(
        _ parts: [Part], threadCount: Int,
        _ body: @escaping @Sendable (Part) throws(Failure) -> Output
    ) throws(Failure) -> [Output] {
        let work = ParallelWork(parts, body)
        var workers: [WorkerThread] = []
        while workers.count + 1 < min(threadCount, parts.count),
            let worker = try? WorkerThread({ work.run() })
        {
            workers.append(worker)
        }
        work.run()
        for worker in workers { worker.join() }
        return try work.outputs()
    }
}

/// The parts that threads share, and their results.
private final class ParallelWork<Part: Sendable, Output: Sendable, Failure: Error>: Sendable {
    private struct State {
        var next = 0
        var hasFailed = false
        var results: [Result<Output, Failure>?]
    }

    private let parts: [Part]
    private let body: @Sendable (Part) throws(Failure) -> Output
    private let state: Guarded<State>

    init(_ parts: [Part], _ body: @escaping @Sendable (Part) throws(Failure) -> Output) {
        self.parts = parts
        self.body = body
        state = Guarded(State(results: Array(repeating: nil, count: parts.count)))
    }

    /// Computes parts until there are none left, or one has failed.
    func run() {
        while let index = takeNext() {
            let result = Result { () throws(Failure) in try body(parts[index]) }
            state.withLock { state in
                state.results[index] = result
                if case .failure = result { state.hasFailed = true }
            }
        }
    }

    private func takeNext() -> Int? {
        state.withLock { state in
            guard !state.hasFailed, state.next < parts.count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    /// Returns the results after all threads have ended.
    func outputs() throws(Failure) -> [Output] {
        let results = state.withLock { $0.results }
        var outputs: [Output] = []
        outputs.reserveCapacity(results.count)
        // Parts were taken in order, so the first that failed precedes all that were not computed.
        for case .some(let result) in results { outputs.append(try result.get()) }
        return outputs
    }
}
