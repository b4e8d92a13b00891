import Foundation

/// The run loop of a thread that observes something, which calls the blocks of the thread.
///
/// A run loop without sources ends at once, and no other thread can give it work while it waits. A
/// timer that is due in the far future keeps it running, and wakes it by becoming due now.
///
/// A thread that does not run its loop is not affected.
final class ThreadRunLoop: @unchecked Sendable {
    private let timer: Timer

    /// Joins the run loop of the current thread.
    init() {
        timer = Timer(fire: .distantFuture, interval: ThreadRunLoop.pause, repeats: true) { _ in
            for run in ThreadMailbox.take(nanoseconds: 0) { run() }
        }
        RunLoop.current.add(timer, forMode: .default)
    }

    deinit { timer.invalidate() }

    /// Makes the run loop call the blocks that are due, as soon as it runs.
    ///
    /// This method can be called on any thread.
    func wake() { timer.fireDate = Date() }

    /// The interval after which the timer becomes due without being woken, in seconds.
    private static let pause = 1e9
}
