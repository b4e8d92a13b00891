import CPlatform

/// Tells a process from the child that it forked.
///
/// Locks belong to the open file, which a child shares with its parent: a handle that was opened
/// before the fork must not be used after it. Whoever holds one keeps the generation of its
/// making and compares.
package struct ForkGeneration: Hashable, Sendable {
    private let number: UInt64

    /// The generation of this process.
    ///
    /// The first call arms the counter.
    ///
    /// - Complexity: O(1), a few nanoseconds.
    package static var current: ForkGeneration {
        ForkGeneration(number: firn_fork_generation())
    }

    /// Whether this process is still the one in which the generation was taken.
    package var isCurrent: Bool { self == ForkGeneration.current }
}
