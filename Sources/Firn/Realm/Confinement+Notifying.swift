import Dispatch
import FirnPlatform

extension Confinement {
    /// Runs code where the realm may be used, later.
    ///
    /// On a thread that nothing brings work to, and on the main thread of a program without a main
    /// queue that runs, ``Realm/runNotifications(for:until:)`` does. The code has to bear to be run
    /// twice.
    func notify(_ work: @escaping @Sendable () -> Void, from sender: ObjectIdentifier) {
        if let thread { ThreadMailbox.post(work, to: thread, from: sender) }
        // Nothing else brings work to most threads.
        _ = schedule(work)
    }
}

extension Realm {
    /// Calls the blocks of `observe` that wait for this thread, and those that come to wait, until the
    /// time is over.
    ///
    /// Realms of queues and actors need no help. Those of a thread get what happened elsewhere when they
    /// are refreshed, when a write transaction begins, and here. On the main thread the main queue
    /// does it, too, wherever it runs.
    ///
    ///     let token = realm.objects(Dog.self).observe { change in ... }
    ///     Realm.runNotifications(for: 10)
    ///
    /// - Parameters:
    ///   - seconds: how long, at most; 0: as long as something waits.
    ///   - isDone: asked before and after each time that blocks were called: whether to return.
    /// - Returns: whether it was done before the time was over.
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

    /// A time that makes sense, of one that may make none.
    private static func nanoseconds(_ seconds: Double) -> UInt64 {
        guard seconds > 0 else { return 0 }
        // About 31 years are as good as no end.
        return UInt64(min(seconds, 1e9) * 1e9)
    }
}
