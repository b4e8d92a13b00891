import Dispatch
import FirnEngine
import FirnPlatform

/// The write transactions of one realm that begin on other threads, for somebody who goes on with them
/// where the realm is used, later.
///
/// A synchronous write there, before that, takes the first of them that begins: it would wait for ever
/// for the right to write of a transaction that waits for it.
final class PendingTransactions: @unchecked Sendable {
    /// Names one of them.
    struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private enum State {
        case beginning
        case begun(Result<WriteTransaction, StoreError>)
    }

    private let lock = Lock()
    private let news = Condition()
    /// Those that nobody has taken; guarded by the lock.
    private var states: [Ticket: State] = [:]
    private var count: UInt64 = 0

    /// Begins a transaction as soon as other writers have finished, on another thread.
    ///
    /// - Parameter completion: runs there once it has begun.
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
    /// - Returns: `nil` if the task was cancelled before: whatever begins later ends at once.
    func begun(_ file: RealmFile) async -> Ticket? {
        let waiter = TicketWaiter()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.wait(continuation)
                begin(file) { [self] ticket in
                    guard !waiter.end(ticket) else { return }
                    // Nobody waits: a synchronous write may have taken it, or it failed to begin.
                    if let abandoned = try? take(ticket) { abandoned.rollback() }
                }
            }
        } onCancel: {
            waiter.end(nil)
        }
    }

    /// Takes one that has begun.
    ///
    /// - Returns: `nil` if somebody took it before.
    func take(_ ticket: Ticket) throws(StoreError) -> WriteTransaction? {
        lock.lock()
        defer { lock.unlock() }
        guard case .begun(let result)? = states.removeValue(forKey: ticket) else { return nil }
        return try result.get()
    }

    /// Takes the first one that has begun, and waits for it if all are only beginning.
    ///
    /// - Returns: `nil` if there is none.
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

    /// Waits, unless the task has been cancelled already.
    func wait(_ continuation: CheckedContinuation<PendingTransactions.Ticket?, Never>) {
        let isWaiting = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isWaiting { continuation.resume(returning: nil) }
    }

    /// Ends the waiting, once.
    ///
    /// - Parameter ticket: `nil` for a cancellation.
    /// - Returns: whether the task gets the ticket.
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
