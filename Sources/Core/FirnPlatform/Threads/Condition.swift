import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Lets threads wait under a ``Lock`` until another thread has changed the state that they check.
///
/// A wait may end spuriously, so callers check again in a loop.
package final class Condition: Sendable {
    private nonisolated(unsafe) let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        defer { pthread_condattr_destroy(&attributes) }
        #if os(Linux)
        // Timed waits must not become longer if the wall clock is changed.
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

    /// Releases the lock, waits to be woken, and acquires the lock again.
    package func wait(_ lock: Lock) { pthread_cond_wait(condition, lock.mutex) }

    /// Waits like ``wait(_:)``, up to a timeout.
    ///
    /// - Returns: `false` if the timeout elapsed.
    @discardableResult
    package func wait(_ lock: Lock, nanoseconds: UInt64) -> Bool {
        // The limit of about 68 years is practically unlimited, and sums of times cannot overflow.
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
