import CPlatform
import FirnValues

/// Distinguishes a process from a child that it forked.
///
/// Locks belong to the open file, which a child shares with its parent. A handle that was opened
/// before the fork must therefore not be used after it. The owner of a handle stores the generation
/// at its creation, and compares it.
package struct ForkGeneration: Hashable, Sendable {
    private let number: UInt64

    /// The generation of this process.
    ///
    /// The first access starts the counter.
    ///
    /// - Complexity: O(1), a few nanoseconds.
    package static var current: ForkGeneration {
        ForkGeneration(number: firn_fork_generation())
    }

    /// Whether this process is still the one in which the generation was recorded.
    package var isCurrent: Bool { self == ForkGeneration.current }
}
