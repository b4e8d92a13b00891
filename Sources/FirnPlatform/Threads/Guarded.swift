/// A value that only one thread at a time can reach.
package final class Guarded<Value>: @unchecked Sendable {
    @usableFromInline let lock = Lock()
    /// Only touched under the lock, which also keeps one thread from touching it twice at a time:
    /// a check of that at run time would cost as much as the lock.
    @exclusivity(unchecked) @usableFromInline var value: Value

    package init(_ value: consuming sending Value) { self.value = value }

    /// Runs the body with the value while no other thread has it.
    @inlinable
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
