import FirnPlatform

/// Whether to stay awake for a moment until a sync is done.
///
/// A core that goes to sleep while the disk works takes longer to wake up than what is left to do for a
/// commit that was prepared. Where syncs take long, staying awake is only a waste: after each vigil
/// in vain more of those that would follow are left out.
struct AdaptiveSpin: Sendable {
    /// A quick disk is done by then.
    static let nanoseconds: UInt64 = 100_000
    private static let pauseMaximum = 256

    private var pause = 0
    private var rest = 0

    /// - Returns: whether to stay awake now.
    mutating func begin() -> Bool {
        guard rest == 0 else {
            rest -= 1
            return false
        }
        return true
    }

    /// - Parameter wasFruitful: whether the sync was done in time.
    mutating func end(_ wasFruitful: Bool) {
        pause = wasFruitful ? 0 : min(2 * pause + 1, AdaptiveSpin.pauseMaximum)
        rest = pause
    }
}

extension LogAttachment {
    /// Stays awake for a moment until a version is on disk for which everything is ready.
    ///
    /// Not on the core of who commits it: he is to find it free when the disk is done.
    ///
    /// - Returns: whether it is on disk.
    func spinUntilDurable(for expected: PendingCommit) -> Bool {
        guard region.appendedElsewhere, vigils.withLock({ $0.begin() }) else { return false }
        let isDurable = region.watchSynced(
            through: expected.snapshot.version, nanoseconds: AdaptiveSpin.nanoseconds)
        vigils.withLock { $0.end(isDurable) }
        return isDurable
    }
}
