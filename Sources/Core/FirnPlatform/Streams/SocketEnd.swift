import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// One side of a connection over a socket.
package enum SocketEnd {
    /// Shuts down both directions of a socket, which the other side learns at once.
    ///
    /// The descriptor stays open. A descriptor that is not a connected socket is left as it is.
    package static func shutDown(_ descriptor: Int32) {
        #if canImport(Glibc)
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
        #else
        _ = shutdown(descriptor, SHUT_RDWR)
        #endif
    }

    /// Whether a system error means that an address is in use.
    package static func isInUse(systemError: Int32) -> Bool { systemError == EADDRINUSE }
}
