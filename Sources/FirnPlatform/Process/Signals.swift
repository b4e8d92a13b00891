import CPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Signals that ask the process to end, remembered so that long work ends in order.
///
/// The handler and its flag are C: a Swift global that a handler shares with a loop breaks the
/// rules of exclusive access. SIGPIPE keeps its default: a command dies of it, as `cat` does.
package enum Signals {
    /// Numbers that callers name.
    package static let interrupt = SIGINT
    package static let terminate = SIGTERM
    package static let hangUp = SIGHUP
    package static let brokenPipe = SIGPIPE
    package static let alarm = SIGALRM

    /// Remembers SIGINT, SIGTERM and SIGHUP from now on, unless they are ignored; forgets what was
    /// remembered before.
    ///
    /// A second signal of the same kind kills. A write beyond a file size limit becomes an error instead of a death.
    package static func install() throws(PlatformError) {
        let reason = firn_signals_install()
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "sigaction", path: "")
        }
    }

    /// Remembers signals as ``install()`` does, and keeps what was remembered before.
    ///
    /// - Parameter repeatedly: whether a second signal of the same kind is remembered too, instead
    ///   of killing: for as long as somebody waits for signals and answers at once.
    package static func keep(repeatedly: Bool) throws(PlatformError) {
        let reason = firn_signals_keep(repeatedly ? 1 : 0)
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "sigaction", path: "")
        }
    }

    /// Remembers ``alarm`` once so much time is over, as if somebody asked the process to end then.
    ///
    /// - Parameter nanoseconds: up to about 31 years; more is as good as no end.
    package static func raiseAlarm(afterNanoseconds nanoseconds: UInt64) throws(PlatformError) {
        let reason = firn_signals_alarm(min(nanoseconds, 1_000_000_000_000_000_000))
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "setitimer", path: "")
        }
    }

    /// Takes ``raiseAlarm(afterNanoseconds:)`` back, and forgets the alarm if it came.
    package static func endAlarm() { firn_signals_alarm_end() }

    /// Forgets the signal that was remembered, because it is answered.
    package static func forget() { firn_signals_forget() }

    /// Readable once a signal was remembered; -1 before the first ``install()``.
    package static var descriptor: Int32 { firn_signals_descriptor() }

    /// The signal that came since ``install()``, or `nil`.
    ///
    /// - Complexity: O(1), one load: long work asks once per page or batch.
    package static var pending: Int32? {
        let signal = firn_signals_pending()
        return signal == 0 ? nil : signal
    }
}
