#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Lets threads wait, under a ``Lock``, until another one has changed what they look at.
///
/// A wait may end without a reason: callers look again in a loop.
package final class Condition: Sendable {
    private nonisolated(unsafe) let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        let reason = pthread_cond_init(condition, nil)
        precondition(reason == 0, "no memory for a condition")
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deinitialize(count: 1)
        condition.deallocate()
    }

    /// Gives the lock back, waits to be woken, and takes the lock again.
    package func wait(_ lock: Lock) { pthread_cond_wait(condition, lock.mutex) }

    /// Wakes one waiting thread.
    package func wakeOne() { pthread_cond_signal(condition) }

    /// Wakes all waiting threads.
    package func wakeAll() { pthread_cond_broadcast(condition) }
}
