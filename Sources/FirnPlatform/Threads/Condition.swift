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
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        defer { pthread_condattr_destroy(&attributes) }
        #if os(Linux)
        // Waits with an end must not stretch when somebody sets the clock on the wall.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        #endif
        let reason = pthread_cond_init(condition, &attributes)
        precondition(reason == 0, "no memory for a condition")
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deinitialize(count: 1)
        condition.deallocate()
    }

    /// Gives the lock back, waits to be woken, and takes the lock again.
    package func wait(_ lock: Lock) { pthread_cond_wait(condition, lock.mutex) }

    /// Waits as ``wait(_:)`` does, but for so long at most.
    ///
    /// - Returns: `false` if the time was over.
    @discardableResult
    package func wait(_ lock: Lock, nanoseconds: UInt64) -> Bool {
        // About 68 years are as good as no end, and no sum of times overflows.
        let seconds = Int(min(nanoseconds / 1_000_000_000, UInt64(Int32.max)))
        var time = timespec(tv_sec: seconds, tv_nsec: Int(nanoseconds % 1_000_000_000))
        #if os(Linux)
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        time.tv_sec += now.tv_sec
        time.tv_nsec += now.tv_nsec
        if time.tv_nsec >= 1_000_000_000 {
            time.tv_sec += 1
            time.tv_nsec -= 1_000_000_000
        }
        let reason = pthread_cond_timedwait(condition, lock.mutex, &time)
        #else
        let reason = pthread_cond_timedwait_relative_np(condition, lock.mutex, &time)
        #endif
        return reason != ETIMEDOUT
    }

    /// Wakes one waiting thread.
    package func wakeOne() { pthread_cond_signal(condition) }

    /// Wakes all waiting threads.
    package func wakeAll() { pthread_cond_broadcast(condition) }
}
