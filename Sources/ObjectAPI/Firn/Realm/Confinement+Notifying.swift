import Dispatch
import FirnPlatform
import FirnValues

extension Confinement {
    /// Schedules code to run later where the realm may be used.
    ///
    /// ``Realm/runNotifications(for:until:)`` runs the code on a thread without a queue, and on the
    /// main thread of a program whose main queue does not run. The code must be safe to run more
    /// than once.
    func notify(_ work: @escaping @Sendable () -> Void, from sender: ObjectIdentifier) {
        if let thread { ThreadMailbox.post(work, to: thread, from: sender) }
        // Most threads have no other source of work.
        _ = schedule(work)
    }
}

extension Realm {
    /// Runs the blocks of `observe` that are due on this thread, until a time limit.
    ///
    /// Realms of queues and actors need no such call. Realms of a thread receive the changes of
    /// other writers when they are refreshed, when a write transaction begins, and in this method.
    /// On the main thread, a running main queue delivers them, too.
    ///
    ///     let token = realm.objects(Dog.self).observe { change in ... }
    ///     Realm.runNotifications(for: 10)
    ///
    /// - Parameters:
    ///   - seconds: The maximum time to wait, in seconds. If 0, the method returns as soon as
    ///     nothing is due.
    ///   - isDone: A closure that is called before and after each batch of blocks. The method
    ///     returns when it returns `true`.
    /// - Returns: Whether `isDone` returned `true` before the time was over.
    @discardableResult
    public static func runNotifications(
        for seconds: Double = 0, until isDone: () -> Bool = { false }
    ) -> Bool {
        let clock = SystemServices.real.clock
        let start = clock.monotonicNanoseconds()
        let nanoseconds = nanoseconds(seconds)
        while true {
            if isDone() { return true }
            let waited = clock.monotonicNanoseconds() &- start
            let work = ThreadMailbox.take(
                nanoseconds: waited < nanoseconds ? nanoseconds - waited : 0)
            guard !work.isEmpty else { return isDone() }
            for run in work { run() }
        }
    }

    /// Converts seconds to nanoseconds, limited to a valid range.
    private static func nanoseconds(_ seconds: Double) -> UInt64 {
        guard seconds > 0 else { return 0 }
        // About 31 years, which is effectively unlimited.
        return UInt64(min(seconds, 1e9) * 1e9)
    }
}
