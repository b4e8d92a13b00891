import FirnPlatform
import FirnValues

/// The threads on which requests run; the event loops only move bytes.
///
/// Threads are started when they are needed, and stay.
final class RequestWorkers: @unchecked Sendable {
    /// The stack size, since query texts may be nested up to the limits of the parser.
    private static let stackByteCount = 8 << 20

    private let countMaximum: Int
    private let waitingMaximum: Int
    private let lock = Lock()
    /// Signals that work is waiting, or that none will come.
    private let ready = Condition()
    /// Signals that work has ended.
    private let done = Condition()
    /// The following fields are protected by the lock.
    private var waiting: [@Sendable () -> Void] = []
    private var threads: [WorkerThread] = []
    private var idleCount = 0
    private var runningCount = 0
    private var isEnding = false

    /// - Parameters:
    ///   - countMaximum: The number of requests that run at the same time.
    ///   - waitingMaximum: The number of requests that wait for a thread.
    init(countMaximum: Int, waitingMaximum: Int) {
        self.countMaximum = countMaximum
        self.waitingMaximum = waitingMaximum
    }

    /// Runs work on a thread.
    ///
    /// - Returns: `false` if too much work is waiting.
    func run(_ work: @escaping @Sendable () -> Void) -> Bool {
        let isAccepted = lock.withLock { () -> Bool in
            guard !isEnding, waiting.count < waitingMaximum else { return false }
            waiting.append(work)
            guard waiting.count > idleCount, threads.count < countMaximum else { return true }
            let thread = try? WorkerThread(stackBytes: RequestWorkers.stackByteCount) {
                [self] in loop()
            }
            guard let thread else {
                // Without any thread, the work would wait forever.
                guard threads.isEmpty else { return true }
                waiting.removeLast()
                return false
            }
            threads.append(thread)
            return true
        }
        if isAccepted { ready.wakeOne() }
        return isAccepted
    }

    /// Whether no work is running or waiting.
    var isIdle: Bool { lock.withLock { runningCount == 0 && waiting.isEmpty } }

    private func loop() {
        while let work = next() {
            work()
            lock.withLock { runningCount -= 1 }
            done.wakeAll()
        }
    }

    private func next() -> (@Sendable () -> Void)? {
        lock.withLock { () -> (@Sendable () -> Void)? in
            idleCount += 1
            defer { idleCount -= 1 }
            while waiting.isEmpty {
                if isEnding { return nil }
                ready.wait(lock)
            }
            runningCount += 1
            return waiting.removeFirst()
        }
    }

    /// Stops accepting work, and waits for the accepted work.
    ///
    /// - Parameter nanoseconds: The time to wait.
    func end(waitNanoseconds nanoseconds: UInt64) {
        lock.withLock {
            isEnding = true
            ready.wakeAll()
            while runningCount > 0 || !waiting.isEmpty {
                guard done.wait(lock, nanoseconds: nanoseconds) else { return }
            }
        }
    }
}
