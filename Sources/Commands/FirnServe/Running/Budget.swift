import FirnPlatform
import FirnValues

/// An amount that all connections share: a number of connections, or of the bytes of arriving
/// bodies.
final class Budget: Sendable {
    private let maximum: Int
    private let used = Guarded(0)

    init(maximum: Int) { self.maximum = maximum }

    /// - Returns: `false`, without taking anything, if too little is left.
    func take(_ amount: Int) -> Bool {
        used.withLock { used in
            guard used + amount <= maximum else { return false }
            used += amount
            return true
        }
    }

    func giveBack(_ amount: Int) { used.withLock { $0 -= amount } }
}
