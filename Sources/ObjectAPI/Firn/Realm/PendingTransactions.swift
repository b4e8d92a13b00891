import Dispatch
import FirnEngine
import FirnPlatform
import FirnValues

/// The write transactions of one realm that begin on other threads.
///
/// Each is continued later where the realm is used. A synchronous write that is made there earlier
/// takes the first transaction that begins. Otherwise it would wait forever for the write lock of a
/// transaction that in turn waits for it.
final class PendingTransactions: @unchecked Sendable {
    /// The identifier of a pending transaction.
    struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private enum State {
        case beginning
        case begun(Result<WriteTransaction, StoreError>)
    }

    private let lock = Lock()
    private let news = Condition()
    /// The transactions that were not yet taken.
    ///
    /// The lock guards them.
    private var states: [Ticket: State] = [:]
    private var count: UInt64 = 0

    /// Begins a transaction on another thread as soon as other writers have finished.
    ///
    /// - Parameter completion: A closure that runs on that thread once the transaction has begun.
    func begin(
        _ file: RealmFile, _ completion: @escaping @Sendable (Ticket) -> Void
    ) {
        let ticket = lock.withLock {
            count += 1
            let ticket = Ticket(number: count)
            states[ticket] = .beginning
            return ticket
        }
        file.beginnings.async { [self] in
            let result = Result { () throws(StoreError) in try file.beginWaiting() }
            lock.withLock {
                states[ticket] = .begun(result)
                news.wakeAll()
            }
            completion(ticket)
        }
    }

    /// Waits until a transaction has begun.
    ///
    /// - Returns: The ticket, or `nil` if the task was cancelled before. A transaction that begins
    ///   after that ends immediately.
    func begun(_ file: RealmFile) async -> Ticket? {
        let waiter = TicketWaiter()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.wait(continuation)
                begin(file) { [self] ticket in
                    guard !waiter.end(ticket) else { return }
                    // No task waits. A synchronous write may have taken the transaction, or it
                    // failed to begin.
                    if let abandoned = try? take(ticket) { abandoned.rollback() }
                }
            }
        } onCancel: {
            waiter.end(nil)
        }
    }

    /// Takes a transaction that has begun.
    ///
    /// - Returns: The transaction, or `nil` if it was taken before.
    func take(_ ticket: Ticket) throws(StoreError) -> WriteTransaction? {
        lock.lock()
        defer { lock.unlock() }
        guard case .begun(let result)? = states.removeValue(forKey: ticket) else { return nil }
        return try result.get()
    }

    /// Takes the first transaction that has begun, waiting for one if necessary.
    ///
    /// - Returns: The transaction, or `nil` if none is pending.
    func takeFirst() throws(StoreError) -> WriteTransaction? {
        lock.lock()
        defer { lock.unlock() }
        while !states.isEmpty {
            for (ticket, state) in states {
                guard case .begun(let result) = state else { continue }
                states[ticket] = nil
                return try result.get()
            }
            news.wait(lock)
        }
        return nil
    }
}

/// A task that waits for a transaction to begin, or for its own cancellation.
private final class TicketWaiter: Sendable {
    private enum State {
        case waiting(CheckedContinuation<PendingTransactions.Ticket?, Never>?)
        case ended
    }

    private let state = Guarded(State.waiting(nil))

    /// Waits, unless the task was already cancelled.
    func wait(_ continuation: CheckedContinuation<PendingTransactions.Ticket?, Never>) {
        let isWaiting = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isWaiting { continuation.resume(returning: nil) }
    }

    /// Ends the wait.
    ///
    /// Only the first call has an effect.
    ///
    /// - Parameter ticket: The ticket, or `nil` for a cancellation.
    /// - Returns: Whether the task receives the ticket.
    @discardableResult
    func end(_ ticket: PendingTransactions.Ticket?) -> Bool {
        let (hasEnded, continuation) = state.withLock {
            state -> (Bool, CheckedContinuation<PendingTransactions.Ticket?, Never>?) in
            guard case .waiting(let continuation) = state else { return (false, nil) }
            state = .ended
            return (true, continuation)
        }
        continuation?.resume(returning: ticket)
        return hasEnded
    }
}

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
