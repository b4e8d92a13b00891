import CPlatform
import FirnValues

/// A core of this machine, as numbered by the system.
package struct ProcessorCore: Hashable, Sendable {
    package let number: UInt32

    package init(number: UInt32) { self.number = number }

    /// The core on which the caller is running; `nil` if the system does not report it.
    ///
    /// - Complexity: O(1), some nanoseconds.
    static var current: ProcessorCore? {
        UInt32(exactly: firn_current_core()).map { ProcessorCore(number: $0) }
    }
}
