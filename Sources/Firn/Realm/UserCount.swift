import Synchronization

/// The number of users that share something, which several threads count.
///
/// What is shared is retained once for all users. Counting those takes one atomic operation, also for
/// what has weak references, which make each count of its references slow.
struct UserCount: ~Copyable {
    private let count = Atomic<Int>(0)

    /// Adds a user, and returns whether it is the first one.
    func add() -> Bool { count.wrappingAdd(1, ordering: .relaxed).oldValue == 0 }

    /// Removes a user, and returns whether it was the last one.
    ///
    /// The last one sees everything that the others did before.
    func remove() -> Bool {
        count.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
    }
}
