import FirnPlatform

/// The amount read from the file since it was opened; a query reports the difference.
package struct ReadCounts: Hashable, Sendable {
    /// The number of pages that were read from the file, decoded and verified.
    package var pages = 0
    /// The stored size of those pages in bytes.
    package var storedBytes: UInt64 = 0
    /// The decoded size of those pages in bytes.
    package var decodedBytes: UInt64 = 0

    package init() {}
}

/// The counters for the reads of all threads.
final class ReadCounters: Sendable {
    private let counts = Guarded(ReadCounts())

    func add(storedBytes: Int, decodedBytes: Int) {
        counts.withLock { counts in
            counts.pages += 1
            counts.storedBytes += UInt64(storedBytes)
            counts.decodedBytes += UInt64(decodedBytes)
        }
    }

    var current: ReadCounts { counts.withLock { $0 } }
}
