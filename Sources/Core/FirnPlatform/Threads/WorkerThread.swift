import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A dedicated thread.
///
/// Work that blocks or computes for a long time must not occupy the threads that Swift's tasks
/// share.
package final class WorkerThread: @unchecked Sendable {
    /// The default stack size, sufficient for any recursion within the limits.
    ///
    /// Only touched pages cost memory.
    package static let stackBytesDefault = 1 << 20

    private let lock = Lock()
    /// The thread; `nil` once it was joined.
    ///
    /// Protected by the lock.
    private var thread: pthread_t?

    /// Starts the body on a new thread.
    package init(
        stackBytes: Int = WorkerThread.stackBytesDefault, _ body: @escaping @Sendable () -> Void
    ) throws(PlatformError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        var reason = pthread_attr_setstacksize(&attributes, stackBytes)
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "pthread_attr_setstacksize", path: "")
        }
        let box = Unmanaged.passRetained(Body(body))
        #if canImport(Glibc)
        var started = pthread_t()
        reason = pthread_create(&started, &attributes, { WorkerThread.run($0) }, box.toOpaque())
        #else
        var started: pthread_t?
        reason = pthread_create(&started, &attributes, { WorkerThread.run($0) }, box.toOpaque())
        #endif
        guard reason == 0 else {
            box.release()
            throw PlatformError(system: reason, operation: "pthread_create", path: "")
        }
        thread = started
    }

    deinit {
        // The thread was not joined. It continues, and the system cleans up after it.
        if let thread { pthread_detach(thread) }
    }

    /// Whether the caller runs on this thread.
    package var isCurrent: Bool {
        lock.withLock { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    /// Waits until the body has returned.
    ///
    /// Later calls return at once.
    package func join() {
        let joining = lock.withLock {
            defer { thread = nil }
            return thread
        }
        if let joining { pthread_join(joining, nil) }
    }

    private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().body()
        return nil
    }

    private final class Body {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
