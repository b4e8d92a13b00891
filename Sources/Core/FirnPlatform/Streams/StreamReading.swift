import CPlatform
import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads from a descriptor without positions, such as a pipe.
struct StreamReading {
    let descriptor: Int32
    /// The name in errors.
    let name: String

    /// Reads available bytes, up to the size of the buffer, and waits for at least one.
    ///
    /// - Returns: the number of bytes; 0 at the end of the input.
    /// - Throws: ``PlatformError/Code/interrupted`` if a signal of ``Signals`` ended the wait.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        guard buffer.count > 0 else { return 0 }
        while true {
            try waitForInput()
            let count = StreamReading.readCall(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            // Another reader of the same pipe may have been faster.
            let reason = errno
            guard reason == EINTR || reason == EAGAIN else {
                throw PlatformError(system: reason, operation: "read", path: name)
            }
        }
    }

    /// Waits until reading does not block, or throws if a signal is recorded.
    ///
    /// The wait includes a FIFO that no writer has opened yet, because reading it would look like
    /// its end.
    private func waitForInput() throws(PlatformError) {
        let signals = firn_signals_descriptor()
        while true {
            if Signals.pending != nil {
                throw PlatformError(system: EINTR, operation: "read", path: name)
            }
            // A negative descriptor is ignored. In that case no signals are recorded; they end the
            // process.
            var waiting = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&waiting, 2, -1)
            if ready < 0, errno != EINTR {
                throw PlatformError(system: errno, operation: "poll", path: name)
            }
            if ready > 0, waiting[0].revents != 0, waiting[1].revents == 0 { return }
        }
    }

    private static func readCall(
        _ number: Int32, _ into: UnsafeMutableRawPointer?, _ count: Int
    ) -> Int {
        #if canImport(Glibc)
        Glibc.read(number, into, count)
        #else
        Darwin.read(number, into, count)
        #endif
    }
}
