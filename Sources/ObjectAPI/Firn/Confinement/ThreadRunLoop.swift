import FirnPlatform
import FirnValues
import Foundation

/// The run loop of a thread that observes something, which calls the blocks of the thread.
///
/// A run loop without sources ends at once, and no other thread can give it work while it waits. A
/// timer that is due in the far future keeps it running, and wakes it by becoming due now.
///
/// The last reference may be dropped on any thread. Invalidating the timer does not wake a loop that
/// waits, so only the thread of the loop does it: at once, or when the timer has woken it.
///
/// A thread that does not run its loop is not affected.
final class ThreadRunLoop: @unchecked Sendable {
    private let thread = ThreadIdentity.current
    private let timer: Timer
    /// Whether the loop no longer needs a timer.
    private let isOver: Guarded<Bool>

    /// Joins the run loop of the current thread.
    init() {
        let isOver = Guarded(false)
        self.isOver = isOver
        timer = Timer(fire: .distantFuture, interval: Self.pause, repeats: true) { timer in
            for run in ThreadMailbox.take(nanoseconds: 0) { run() }
            if isOver.withLock({ $0 }) { timer.invalidate() }
        }
        RunLoop.current.add(timer, forMode: .default)
    }

    deinit {
        if thread == .current { return timer.invalidate() }
        isOver.withLock { $0 = true }
        wake()
    }

    /// Makes the run loop call the blocks that are due, as soon as it runs.
    ///
    /// This method can be called on any thread.
    func wake() { timer.fireDate = Date() }

    /// The interval after which the timer becomes due without being woken, in seconds.
    private static let pause = 1e9
}
