import CPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The ways out of the process.
package enum ProcessExit {
    /// Ends the process with a status of 0 to 255.
    package static func exit(_ status: Int32) -> Never {
        #if canImport(Glibc)
        Glibc.exit(status)
        #else
        Darwin.exit(status)
        #endif
    }

    /// Dies of a signal, so that the shell sees a real signal death and stops its script too.
    package static func raise(signal: Int32) -> Never {
        firn_signal_die(signal)
        // Only a signal whose default is not to end the process gets here.
        exit(128 + signal)
    }
}
