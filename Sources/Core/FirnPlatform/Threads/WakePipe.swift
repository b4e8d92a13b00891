import CPlatform
import FirnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Wakes a thread that waits for descriptors, by making a descriptor readable.
package final class WakePipe: Sendable {
    private let ends: (reading: Int32, writing: Int32)

    package init() throws(PlatformError) {
        var made: [Int32] = [-1, -1]
        let reason = firn_wake_pipe(&made)
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "pipe", path: "")
        }
        ends = (made[0], made[1])
    }

    deinit {
        close(ends.reading)
        close(ends.writing)
    }

    /// A descriptor that is readable from ``wake()`` until ``reset()``.
    package var descriptor: Int32 { ends.reading }

    package func wake() {
        var byte: UInt8 = 0
        // A full pipe is already readable.
        _ = write(ends.writing, &byte, 1)
    }

    package func reset() {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            while read(ends.reading, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
}
