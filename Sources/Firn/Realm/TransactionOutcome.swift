import FirnPlatform
import FirnValues

/// The end of a write transaction, for those that refer to what it did.
final class TransactionOutcome: Sendable {
    enum State: Sendable {
        case open
        case committed(LSN)
        case cancelled
    }

    private let current = Guarded(State.open)

    var state: State { current.withLock { $0 } }

    func end(_ state: State) { current.withLock { $0 = state } }
}
