/// A value that only one thread at a time can access.
///
/// It is public because the compiler inlines no package function into another module.
public final class Guarded<Value>: @unchecked Sendable {
    @usableFromInline let lock = Lock()
    /// Accessed only under the lock, which also prevents overlapping accesses on one thread.
    ///
    /// A run-time check of exclusivity would cost as much as the lock.
    @exclusivity(unchecked) @usableFromInline var value: Value

    package init(_ value: consuming sending Value) { self.value = value }

    /// Runs the body with exclusive access to the value.
    @inlinable
    public func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
