#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Waits for several descriptors at once.
package enum DescriptorWait {
    /// Waits until at least one of the descriptors is readable, a signal comes, or the time is over.
    ///
    /// - Parameters:
    ///   - descriptors: a negative one is left out.
    ///   - milliseconds: how long at most; -1 for as long as it takes.
    /// - Returns: for each descriptor whether reading it would return at once, be it with its end.
    package static func readable(_ descriptors: [Int32], milliseconds: Int32 = -1) -> [Bool] {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else {
            return descriptors.map { _ in false }
        }
        return polled.map { $0.revents != 0 }
    }
}
