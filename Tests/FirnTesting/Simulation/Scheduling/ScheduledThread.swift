import FirnPlatform
import Glibc

/// A thread of a simulated process.
///
/// Everything except the identity is accessed under the lock of the scheduler only.
final class ScheduledThread: @unchecked Sendable {
    enum State {
        case runnable
        case sleeping(until: UInt64)
        case waiting(for: SharedWord, until: UInt64)
        case ended
        /// Its process died, and the thread did not end.
        case abandoned
    }

    let process: SimulatedProcess
    let name: String
    /// Signalled when its turn comes.
    let turn = Condition()
    var state = State.runnable
    /// The number of attempts since its process died.
    var lastCalls = 0
    /// Whether it runs a closure of the test that is not part of the process.
    var isInterfering = false
    /// `nil` before it has started.
    var system: pthread_t?
    var worker: WorkerThread?
    private var body: (@Sendable (SimulatedProcess) throws -> Void)?

    init(
        process: SimulatedProcess, name: String,
        body: @escaping @Sendable (SimulatedProcess) throws -> Void
    ) {
        self.process = process
        self.name = name
        self.body = body
    }

    /// Whether it may have a turn again.
    var isActive: Bool {
        switch state {
        case .runnable, .sleeping, .waiting: true
        case .ended, .abandoned: false
        }
    }

    /// Whether this code runs on it.
    var isCurrent: Bool { system.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

    /// The time at which it need not wait any longer.
    var deadline: UInt64? {
        switch state {
        case .sleeping(let time), .waiting(_, let time): time
        case .runnable, .ended, .abandoned: nil
        }
    }

    func isReady(at now: UInt64) -> Bool {
        if case .runnable = state { return true }
        return deadline.map { $0 <= now } ?? false
    }

    /// The real thread if it has ended; others are released.
    func takeWorker() -> WorkerThread? {
        let taken = worker.take()
        if case .ended = state { return taken }
        return nil
    }

    /// Runs the body, and releases everything that it holds before returning: files that close
    /// later would do so out of turn.
    func perform() -> (any Error)? {
        guard let body = body.take() else { return nil }
        do {
            try body(process)
            return nil
        } catch {
            return error
        }
    }
}

extension ProcessScheduler {
    /// Adds a thread to a process.
    func startThread(
        of process: SimulatedProcess, _ name: String,
        _ body: @escaping @Sendable (SimulatedProcess) throws -> Void
    ) {
        let thread = ScheduledThread(process: process, name: name, body: body)
        lock.withLock {
            threads.append(thread)
            do {
                thread.worker = try WorkerThread { self.live(thread) }
            } catch {
                thread.state = .ended
                fail(.threw(process: process.name, error))
            }
        }
    }

    /// The whole life of a thread, on the thread itself.
    private func live(_ thread: ScheduledThread) {
        lock.withLock {
            thread.system = pthread_self()
            awaitTurn(thread)
        }
        let error = thread.perform()
        lock.withLock {
            if let error, thread.process.files.isAlive {
                fail(.threw(process: thread.process.name, error))
            }
            thread.state = .ended
            let isLast = !threads.contains { $0.process === thread.process && $0.isActive }
            if isLast { thread.process.files.kill() }
            passTurn()
        }
    }
}
