import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A mutex for threads, which is the only lock type of the code base.
///
/// It is a pthread mutex, because the thread sanitizer understands it, but reports false races for
/// `Synchronization.Mutex`. It is not recursive: acquiring it twice on one thread deadlocks. It
/// must never be held across a call that may wait for another thread of this code base.
///
/// It is public because the compiler inlines no package function into another module.
public final class Lock: Sendable {
    /// The mutex, which must not move and is therefore allocated separately.
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
    public func withLock<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Acquires the lock; prefer ``withLock(_:)`` wherever a scope fits.
    public func lock() {
        let reason = pthread_mutex_lock(mutex)
        precondition(reason == 0, "a lock was taken after it was destroyed")
    }

    /// Releases the lock, on the thread that acquired it.
    public func unlock() {
        let reason = pthread_mutex_unlock(mutex)
        precondition(reason == 0, "a lock was given back by a thread that does not hold it")
    }
}
