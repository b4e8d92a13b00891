import FirnPlatform

/// What is to be done on threads that nothing else brings work to.
enum ThreadMailbox {
    private static let lock = Lock()
    private static let news = Condition()
    /// Guarded by the lock.
    private nonisolated(unsafe) static var tasks:
        [ThreadIdentity: [ObjectIdentifier: @Sendable () -> Void]] = [:]

    /// - Parameter sender: whose earlier work for the thread is forgotten, if it waits still.
    static func post(
        _ work: @escaping @Sendable () -> Void, to thread: ThreadIdentity,
        from sender: ObjectIdentifier
    ) {
        lock.withLock {
            tasks[thread, default: [:]][sender] = work
            news.wakeAll()
        }
    }

    /// Forgets what waits of somebody who goes.
    static func forget(_ sender: ObjectIdentifier, on thread: ThreadIdentity) {
        lock.withLock {
            tasks[thread]?[sender] = nil
            if tasks[thread]?.isEmpty == true { tasks[thread] = nil }
        }
    }

    /// Takes the work of the calling thread, and waits for it if there is none.
    ///
    /// - Returns: nothing once the time is over.
    static func take(nanoseconds: UInt64) -> [@Sendable () -> Void] {
        let clock = SystemServices.real.clock
        let start = clock.monotonicNanoseconds()
        let thread = ThreadIdentity.current
        return lock.withLock {
            while true {
                if let work = tasks.removeValue(forKey: thread) { return Array(work.values) }
                let waited = clock.monotonicNanoseconds() &- start
                guard waited < nanoseconds else { return [] }
                news.wait(lock, nanoseconds: nanoseconds - waited)
            }
        }
    }
}
