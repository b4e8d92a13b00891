import CPlatform
import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Signals that request the end of the process, recorded so that long operations can end cleanly.
///
/// The handler and its flag are in C: a Swift global that a handler shares with a loop violates the
/// rules of exclusive access. SIGPIPE keeps its default, so that a command is terminated by it, as
/// `cat` is.
package enum Signals {
    /// The signals that callers name.
    package static let interrupt = SIGINT
    package static let terminate = SIGTERM
    package static let hangUp = SIGHUP
    package static let brokenPipe = SIGPIPE
    package static let alarm = SIGALRM

    /// Records SIGINT, SIGTERM and SIGHUP from now on, unless they are ignored.
    ///
    /// Clears earlier records.
    ///
    /// The same signal again, at least half a second later, terminates the process: `timeout` sends
    /// two at once. A write beyond a file size limit becomes an error instead of terminating the
    /// process.
    package static func install() throws(PlatformError) {
        let reason = firn_signals_install()
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "sigaction", path: "")
        }
    }

    /// Records signals as ``install()`` does, and keeps earlier records.
    ///
    /// - Parameter repeatedly: whether a second signal of the same kind is also recorded instead of
    ///   terminating the process. Set it only while a loop waits for signals and handles them at
    ///   once.
    package static func keep(repeatedly: Bool) throws(PlatformError) {
        let reason = firn_signals_keep(repeatedly ? 1 : 0)
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "sigaction", path: "")
        }
    }

    /// Records ``alarm`` after a timeout, like a request to end the process at that time.
    ///
    /// - Parameter nanoseconds: the timeout. One above about 31 years is shortened to that.
    package static func raiseAlarm(afterNanoseconds nanoseconds: UInt64) throws(PlatformError) {
        let reason = firn_signals_alarm(min(nanoseconds, 1_000_000_000_000_000_000))
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "setitimer", path: "")
        }
    }

    /// Cancels ``raiseAlarm(afterNanoseconds:)``, and clears a recorded alarm.
    package static func endAlarm() { firn_signals_alarm_end() }

    /// Clears the recorded signal, because it was handled.
    package static func forget() { firn_signals_forget() }

    /// A descriptor that is readable once a signal is recorded; -1 before the first ``install()``.
    package static var descriptor: Int32 { firn_signals_descriptor() }

    /// The signal that was recorded since ``install()``, or `nil`.
    ///
    /// - Complexity: O(1), one load. Long operations check it once per page or batch.
    package static var pending: Int32? {
        let signal = firn_signals_pending()
        return signal == 0 ? nil : signal
    }
}
