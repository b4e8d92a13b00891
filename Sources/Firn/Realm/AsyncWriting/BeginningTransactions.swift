import Dispatch
import FirnEngine
import FirnPlatform

/// The write transactions of one realm that begin on other threads, for somebody who goes on with them
/// where the realm is used, later.
///
/// A synchronous write there, before that, takes the first of them that begins: it would wait for ever
/// for the right to write of a transaction that waits for it.
final class BeginningTransactions: @unchecked Sendable {
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
