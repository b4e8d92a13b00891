import FirnPlatform
import FirnValues

/// The work for threads that have no other source of work.
enum ThreadMailbox {
    private static let lock = Lock()
    private static let news = Condition()
    /// The tasks of each thread by sender, guarded by the lock.
    private nonisolated(unsafe) static var tasks:
        [ThreadIdentity: [ObjectIdentifier: @Sendable () -> Void]] = [:]

    /// - Parameter sender: The sender of the work, whose earlier work for the thread is replaced.
    static func post(
        _ work: @escaping @Sendable () -> Void, to thread: ThreadIdentity,
        from sender: ObjectIdentifier
    ) {
        lock.withLock {
            tasks[thread, default: [:]][sender] = work
            news.wakeAll()
        }
    }

    /// Removes the waiting work of a sender that is being freed.
    static func forget(_ sender: ObjectIdentifier, on thread: ThreadIdentity) {
        lock.withLock {
            tasks[thread]?[sender] = nil
            if tasks[thread]?.isEmpty == true { tasks[thread] = nil }
        }
    }

    /// Takes the work of the calling thread, waiting for it if there is none.
    ///
    /// - Returns: The work, or an empty array if the time limit has expired.
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

/// A value that one thread hands over to another.
struct UnsafeTransfer<Content>: @unchecked Sendable {
    let value: Content

    init(_ value: Content) { self.value = value }
}
