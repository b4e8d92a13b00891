import CPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Which thread somebody is.
package struct ThreadIdentity: Hashable, Sendable {
    private let number: UInt

    /// The thread that asks.
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

    /// Whether this is the thread that the process began with.
    package static var isMain: Bool { firn_is_main_thread() != 0 }
}

extension ThreadIdentity: CustomStringConvertible {
    package var description: String { "thread 0x" + String(number, radix: 16) }
}
