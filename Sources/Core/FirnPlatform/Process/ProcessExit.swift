import CPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The ways to end the process.
package enum ProcessExit {
    /// Ends the process with a status of 0 to 255.
    package static func exit(_ status: Int32) -> Never {
        #if canImport(Glibc)
        Glibc.exit(status)
        #else
        Darwin.exit(status)
        #endif
    }

    /// Ends the process with a signal, so that a calling shell sees the signal and stops its script
    /// too.
    package static func raise(signal: Int32) -> Never {
        firn_signal_die(signal)
        // Only reached if the default action of the signal does not end the process.
        exit(128 + signal)
    }
}
