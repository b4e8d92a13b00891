import Firn
import FirnPlatform
import FirnValues

extension SyncSession {
    package func waitForCycle(seconds: Double?) async throws {
        let id = shared.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let timer = Guarded<Task<Void, any Error>?>(nil)
        defer { timer.withLock { $0 }?.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(id, continuation)
                // Only now: a time that is over before the wait has begun would end nothing.
                timer.withLock { $0 = seconds.map { end(id, afterSeconds: $0) } }
            }
        } onCancel: {
            fail(id, CancellationError())
        }
    }

    /// The longest wait with a time limit, in seconds: about 30 years.
    private static let secondsMaximum: Double = 1e9

    /// Ends a wait when its time limit expires.
    private func end(_ id: UInt64, afterSeconds seconds: Double) -> Task<Void, any Error> {
        // Neither negative nor infinite nor NaN.
        let rest = seconds > 0 ? min(seconds, SyncSession.secondsMaximum) : 0
        return Task { [weak self] in
            try await Task.sleep(for: .seconds(rest))
            guard let self else { return }
            fail(
                id,
                Realm.Error(
                    .timedOut, fileURL: configuration.fileURL,
                    "the server did not send the objects within \(seconds) s"))
        }
    }

    private func wait(_ id: UInt64, _ continuation: CheckedContinuation<Void, any Error>) {
        let problem: (any Error)? = shared.withLock { state in
            if state.hasEnded {
                return Realm.Error(.fail, fileURL: configuration.fileURL, "the file was closed")
            }
            if Task.isCancelled { return CancellationError() }
            state.wanted += 1
            state.waiters.append(
                SessionState.Waiter(id: id, ticket: state.wanted, continuation: continuation))
            return nil
        }
        if let problem { continuation.resume(throwing: problem) }
    }

    private func fail(_ id: UInt64, _ error: any Error) {
        let waiters = shared.withLock { state in state.removeWaiters { $0.id == id } }
        for waiter in waiters { waiter.continuation.resume(throwing: error) }
    }

    /// Records that a cycle starts.
    func beginCycle() {
        shared.withLock { state in
            state.begun = state.wanted
            if state.connection == .disconnected { state.connection = .connecting }
        }
    }

    /// Records that a cycle has exchanged all changes, and ends the waits for it.
    func completeCycle() {
        let waiters = shared.withLock { state in
            state.done = max(state.done, state.begun)
            state.connection = .connected
            state.failure = nil
            let done = state.done
            return state.removeWaiters { $0.ticket <= done }
        }
        for waiter in waiters { waiter.continuation.resume() }
    }

    /// Records that an error has stopped the replication, and ends all waits.
    func stop(_ error: Realm.Error) {
        let waiters = shared.withLock { state in
            state.failure = error
            state.connection = .disconnected
            let begun = state.begun
            return state.removeWaiters { $0.ticket <= begun }
        }
        for waiter in waiters { waiter.continuation.resume(throwing: error) }
        options.errorHandler?(error, self)
    }
}
