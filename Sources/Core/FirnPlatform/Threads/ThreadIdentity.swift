import CPlatform
import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The identity of a thread.
package struct ThreadIdentity: Hashable, Sendable {
    private let number: UInt

    /// The current thread.
    ///
    /// - Complexity: O(1), about a nanosecond.
    @inline(__always)
    package static var current: ThreadIdentity {
        #if canImport(Glibc)
        ThreadIdentity(number: UInt(pthread_self()))
        #else
        ThreadIdentity(number: UInt(bitPattern: pthread_self()))
        #endif
    }

    /// Whether this is the initial thread of the process.
    package static var isMain: Bool { firn_is_main_thread() != 0 }
}

extension ThreadIdentity: CustomStringConvertible {
    package var description: String { "thread 0x" + String(number, radix: 16) }
}
