import FirnPlatform

/// A heuristic that decides whether to spin briefly until a sync is done.
///
/// A core that goes to sleep during the sync needs more time to wake up than for the remaining work
/// on a prepared commit. If syncs are slow, spinning is only a waste: each unsuccessful spin
/// increases the number of waits that do not spin.
struct AdaptiveSpin: Sendable {
    /// A fast disk completes a sync within this time.
    static let nanoseconds: UInt64 = 100_000
    private static let pauseMaximum = 256

    private var pause = 0
    private var rest = 0

    /// - Returns: Whether to spin now.
    mutating func begin() -> Bool {
        guard rest == 0 else {
            rest -= 1
            return false
        }
        return true
    }

    /// - Parameter wasFruitful: Whether the sync was done in time.
    mutating func end(_ wasFruitful: Bool) {
        pause = wasFruitful ? 0 : min(2 * pause + 1, AdaptiveSpin.pauseMaximum)
        rest = pause
    }
}

extension LogAttachment {
    /// Spins briefly until a prepared version is on disk.
    ///
    /// Never spins on the core of the committing thread, which must be free when the sync
    /// completes.
    ///
    /// - Returns: Whether the version is on disk.
    func spinUntilDurable(for expected: PendingCommit) -> Bool {
        guard region.appendedElsewhere, vigils.withLock({ $0.begin() }) else { return false }
        let isDurable = region.watchSynced(
            through: expected.snapshot.version, nanoseconds: AdaptiveSpin.nanoseconds)
        vigils.withLock { $0.end(isDurable) }
        return isDurable
    }
}
