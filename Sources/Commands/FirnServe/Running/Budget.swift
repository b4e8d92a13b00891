import FirnPlatform
import FirnValues

/// An amount that all connections share: of connections, or of the bytes of bodies that arrive.
final class Budget: Sendable {
    private let maximum: Int
    private let used = Guarded(0)

    init(maximum: Int) { self.maximum = maximum }

    /// - Returns: `false`, without taking, if it would be too much.
    func take(_ amount: Int) -> Bool {
        used.withLock { used in
            guard used + amount <= maximum else { return false }
            used += amount
            return true
        }
    }

    func giveBack(_ amount: Int) { used.withLock { $0 -= amount } }
}
