import FirnValues
import Synchronization

/// The number of users of a shared object, which several threads count.
///
/// The object is retained once for all of them. Adding a user takes one atomic operation, even if the
/// object has weak references, which make it slow to retain.
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
