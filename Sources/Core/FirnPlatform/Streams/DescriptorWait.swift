import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Waits for several descriptors at once.
package enum DescriptorWait {
    /// Waits until a descriptor is readable, a signal arrives, or the timeout elapses.
    ///
    /// - Parameters:
    ///   - descriptors: the descriptors. Negative ones are ignored.
    ///   - milliseconds: the timeout; -1 for none.
    /// - Returns: for each descriptor, whether reading from it would not block. This includes the
    ///   end of input.
    package static func readable(_ descriptors: [Int32], milliseconds: Int32 = -1) -> [Bool] {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else {
            return descriptors.map { _ in false }
        }
        return polled.map { $0.revents != 0 }
    }

    /// Waits until reading from a descriptor or writing to it would not block, a signal arrives, or
    /// the timeout elapses.
    ///
    /// - Returns: Whether reading or writing would not block. This includes the end of input and
    ///   errors.
    package static func readyToExchange(_ descriptor: Int32, milliseconds: Int32) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN | POLLOUT), revents: 0)
        return poll(&polled, 1, milliseconds) > 0
    }
}
