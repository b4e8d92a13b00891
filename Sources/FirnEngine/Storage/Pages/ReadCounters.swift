import FirnPlatform

/// What was read from the file since it was opened; a query reports the difference.
package struct ReadCounts: Hashable, Sendable {
    /// Pages that were read from the file, decoded and checked.
    package var pages = 0
    /// Stored bytes of those pages.
    package var storedBytes: UInt64 = 0
    /// Bytes that they take decoded.
    package var decodedBytes: UInt64 = 0

    package init() {}
}

/// Counts reads of all threads.
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
