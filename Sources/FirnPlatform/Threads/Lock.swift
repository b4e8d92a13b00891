#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Mutual exclusion of threads: the only lock type of the code base.
///
/// A pthread mutex, because the thread sanitizer understands it, while it reports false races on
/// `Synchronization.Mutex`. Not recursive: taking it twice on one thread deadlocks. Never held
/// across a call that may wait for another thread of ours.
package final class Lock: Sendable {
    /// The mutex must not move, so it has an allocation of its own.
    nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        let reason = pthread_mutex_init(mutex, nil)
        precondition(reason == 0, "no memory for a lock")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs the body while no other thread runs one under this lock.
    @inlinable
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Takes the lock; ``withLock(_:)`` is the better way wherever a scope fits.
    package func lock() {
        let reason = pthread_mutex_lock(mutex)
        precondition(reason == 0, "a lock was taken after it was destroyed")
    }

    /// Gives the lock back, on the thread that took it.
    package func unlock() {
        let reason = pthread_mutex_unlock(mutex)
        precondition(reason == 0, "a lock was given back by a thread that does not hold it")
    }
}
