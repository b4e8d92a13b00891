import FirnPlatform
import FirnValues

/// The outcome of a write transaction, for references to its changes.
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
