import CPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What can be said of an output without writing to it.
package enum OutputReadiness: Hashable, Sendable {
    /// Some bytes can be written at once; a pipe takes ``StandardStream/pieceByteCount``.
    case ready
    /// Nobody reads what is there already.
    case full
    /// Nobody will ever read it.
    case abandoned
}

extension StandardStream {
    /// As many bytes go into a pipe without waiting when it is ready for any.
    package static let pieceByteCount = 4096

    /// Whether the stream can be written to, waiting a while if it cannot.
    ///
    /// The end of the wait may also be a signal of ``Signals``.
    package func readiness(waitingNanoseconds nanoseconds: UInt64 = 0) -> OutputReadiness {
        // A negative descriptor is left out.
        var polled = [
            pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: firn_signals_descriptor(), events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = Int32(clamping: (nanoseconds / 1_000_000) + (nanoseconds == 0 ? 0 : 1))
        guard poll(&polled, 2, milliseconds) > 0 else { return .full }
        let events = Int32(polled[0].revents)
        if events & (Int32(POLLERR) | Int32(POLLHUP) | Int32(POLLNVAL)) != 0 { return .abandoned }
        return events & Int32(POLLOUT) != 0 ? .ready : .full
    }

    /// Whether reading would return at once, be it with the end of the input.
    package var hasInput: Bool {
        var polled = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }
}
