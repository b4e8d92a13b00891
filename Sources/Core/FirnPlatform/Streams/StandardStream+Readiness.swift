import CPlatform
import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The state of an output, determined without writing to it.
package enum OutputReadiness: Hashable, Sendable {
    /// Some bytes can be written at once.
    ///
    /// A pipe accepts ``StandardStream/pieceByteCount`` bytes.
    case ready
    /// The reader has not read the pending data.
    case full
    /// The reader has closed its end.
    case abandoned
}

extension StandardStream {
    /// The number of bytes that a pipe accepts without waiting once it is ready.
    package static let pieceByteCount = 4096

    /// Returns the readiness of the stream for writing, and waits for a while if it is full.
    ///
    /// A signal of ``Signals`` also ends the wait.
    package func readiness(waitingNanoseconds nanoseconds: UInt64 = 0) -> OutputReadiness {
        // A negative descriptor is ignored.
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

    /// Whether reading would not block.
    ///
    /// This includes the end of input.
    package var hasInput: Bool {
        var polled = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }
}
