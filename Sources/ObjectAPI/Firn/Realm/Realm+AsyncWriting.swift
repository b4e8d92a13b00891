import Dispatch
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// Write transactions that wait for other writers, and for the disk, in the background.
extension Realm {
    /// The identifier of a transaction that has not begun, or is being committed.
    public struct AsyncTransactionId: Hashable, Sendable {
        let number: UInt64
    }

    /// A Boolean value that indicates whether an asynchronous write is waiting or being committed.
    ///
    /// Asynchronous writes are started by ``writeAsync(_:onComplete:)`` and similar methods.
    public var isPerformingAsynchronousWriteOperations: Bool { instance.asyncWork.isBusy }

    /// Runs code in a write transaction as soon as other writers have finished.
    ///
    /// The transaction is committed in the background.
    ///
    /// - Parameters:
    ///   - block: A closure that runs where the realm is used, after the blocks of earlier calls.
    ///   - onComplete: A closure that receives `nil` once the changes are durable, or an error.
    @discardableResult
    public func writeAsync(
        _ block: @escaping () -> Void, onComplete: (((any Swift.Error)?) -> Void)? = nil
    ) -> AsyncTransactionId {
        checkCanSchedule()
        return instance.asyncWork.add(
            {
                block()
                if isInWriteTransaction { commitAsyncWrite(onComplete) }
            }, onFailure: onComplete, to: self)
    }

    /// Runs code as soon as a write transaction has begun.
    ///
    /// - Parameter block: A closure that runs where the realm is used. It calls
    ///   ``commitAsyncWrite(allowGrouping:_:)``, ``commitWrite()`` or ``cancelWrite()``. If the
    ///   transaction is still open when the closure returns, it is cancelled.
    @discardableResult
    public func beginAsyncWrite(_ block: @escaping () -> Void) -> AsyncTransactionId {
        checkCanSchedule()
        return instance.asyncWork.add(block, onFailure: nil, to: self)
    }

    /// Commits the open transaction in the background.
    ///
    /// - Parameters:
    ///   - allowGrouping: A value without effect. Concurrent commits always share a sync.
    ///   - onComplete: A closure that receives `nil` once the changes are durable, or an error.
    @discardableResult
    public func commitAsyncWrite(
        allowGrouping: Bool = false, _ onComplete: (((any Swift.Error)?) -> Void)? = nil
    ) -> AsyncTransactionId {
        checkCanSchedule()
        return instance.asyncWork.commit(self, onComplete)
    }

    /// Cancels a transaction that has not begun.
    ///
    /// - Throws: ``Realm/Error`` with `invalidInput` if the transaction has already begun.
    public func cancelAsyncWrite(_ id: AsyncTransactionId) throws {
        instance.checkConfinement()
        guard instance.asyncWork.cancel(id) else {
            throw Error(.invalidInput, "the transaction has begun already, or never was")
        }
    }

    private func checkCanSchedule() {
        instance.checkConfinement()
        guard !isFrozen, !configuration.readOnly else {
            misuse(
                "a realm that is frozen or opened for reading only cannot be written to: thaw() it, "
                    + "or open it without readOnly")
        }
        guard instance.confinement.canSchedule else {
            misuse(
                "asynchronous writes need a realm of the main thread, a queue or an actor: open it "
                    + "with Realm(queue:) or Realm(actor:), or use write { }")
        }
    }
}

/// The asynchronous transactions of one realm, which run one after another.
///
/// Like the whole realm, they are confined to where the realm is used.
final class AsyncWork: @unchecked Sendable {
    private struct Waiting {
        let id: Realm.AsyncTransactionId
        let block: () -> Void
        /// A closure that is called if the transaction cannot begin.
        let onFailure: (((any Error)?) -> Void)?
    }

    private var waiting: [Waiting] = []
    /// The pending transactions of this queue, and of asynchronous writes of actors.
    let beginnings = PendingTransactions()
    private var nextNumber: UInt64 = 1
    /// Whether a transaction was requested and has not yet begun.
    private var isBeginning = false
    private var commitCount = 0
    /// The number of blocks and asynchronous writes that are running.
    private var runningCount = 0

    var isBusy: Bool { isBeginning || !waiting.isEmpty || commitCount > 0 || runningCount > 0 }

    /// Records that a block or an asynchronous write starts.
    func beginRunning() { runningCount += 1 }

    /// Records that a block or an asynchronous write has ended.
    func endRunning() { runningCount -= 1 }

    func add(
        _ block: @escaping () -> Void, onFailure: (((any Error)?) -> Void)?, to realm: Realm
    ) -> Realm.AsyncTransactionId {
        let id = makeID()
        waiting.append(Waiting(id: id, block: block, onFailure: onFailure))
        beginNext(realm)
        return id
    }

    func cancel(_ id: Realm.AsyncTransactionId) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
        waiting.remove(at: index)
        return true
    }

    private func makeID() -> Realm.AsyncTransactionId {
        defer { nextNumber += 1 }
        return Realm.AsyncTransactionId(number: nextNumber)
    }

    /// Waits for other writers on another thread, then continues where the realm is used.
    private func beginNext(_ realm: Realm) {
        guard !isBeginning, !waiting.isEmpty, commitCount == 0 else { return }
        isBeginning = true
        let transfer = UnsafeTransfer(realm)
        let instance = realm.instance
        // The work of an actor runs even if the program has released the actor.
        let actor = instance.confinement.actor
        beginnings.begin(instance.file) { ticket in
            _ = instance.confinement.schedule { self.run(ticket, transfer.value) }
            withExtendedLifetime(actor) {}
        }
    }

    private func run(_ ticket: PendingTransactions.Ticket, _ realm: Realm) {
        isBeginning = false
        do {
            // A synchronous write may have taken the transaction. Another one is then begun.
            if let transaction = try beginnings.take(ticket) { try run(transaction, realm) }
        } catch {
            if !waiting.isEmpty { fail(waiting.removeFirst(), error) }
        }
        beginNext(realm)
    }

    private func run(_ transaction: WriteTransaction, _ realm: Realm) throws(StoreError) {
        guard !waiting.isEmpty else { return transaction.rollback() }
        try realm.instance.adopt(transaction)
        beginRunning()
        waiting.removeFirst().block()
        endRunning()
        if realm.isInWriteTransaction { realm.cancelWrite() }
    }

    private func fail(_ work: Waiting, _ error: StoreError) {
        guard let onFailure = work.onFailure else {
            misuse("an asynchronous write cannot begin: \(Realm.Error(error).message)")
        }
        onFailure(Realm.Error(error))
    }

    func commit(
        _ realm: Realm, _ onComplete: (((any Error)?) -> Void)?
    ) -> Realm.AsyncTransactionId {
        let id = makeID()
        let instance = realm.instance
        commitCount += 1
        let (transaction, outcome) = instance.detachTransaction()
        let ending = AsyncCommit(
            realm: realm, transaction: transaction, outcome: outcome, onComplete: onComplete)
        let actor = instance.confinement.actor
        DispatchQueue.global().async {
            ending.commit()
            _ = instance.confinement.schedule { self.end(ending) }
            withExtendedLifetime(actor) {}
        }
        return id
    }

    private func end(_ ending: AsyncCommit) {
        commitCount -= 1
        // Computed first, because an optional call without a closure does not evaluate its
        // argument.
        let error = finish(ending)
        if ending.onComplete == nil, let error {
            Logger.log(
                .error, "a commit of \(ending.realm.instance.file.path) failed: \(error)")
        }
        ending.onComplete?(error)
        beginNext(ending.realm)
    }

    private func finish(_ ending: AsyncCommit) -> (any Error)? {
        let (result, realm) = (ending.result, ending.realm)
        do {
            if case .success(let version) = result {
                realm.instance.observation.noteOwnCommit(version)
                realm.instance.file.announce(version)
            }
            try realm.instance.showNewest()
            if case .success(let version) = result, version == ending.base {
                realm.instance.observation.didCommitNothing(besides: [], realm.instance)
            }
            _ = try result?.get()
            return nil
        } catch {
            return Realm.Error(error)
        }
    }
}

/// A transaction that is handed from the place where its realm is used to the disk and back.
private final class AsyncCommit: @unchecked Sendable {
    let realm: Realm
    let onComplete: (((any Error)?) -> Void)?
    private let transaction: Result<WriteTransaction, StoreError>
    private let outcome: TransactionOutcome?
    /// The version that the commit created, or `nil` until it has ended.
    private(set) var result: Result<LSN, StoreError>?
    /// The version on which the transaction is based, or `nil` if it could not be committed.
    var base: LSN? { try? transaction.get().base.version }

    init(
        realm: Realm, transaction: Result<WriteTransaction, StoreError>,
        outcome: TransactionOutcome?, onComplete: (((any Error)?) -> Void)?
    ) {
        self.realm = realm
        self.transaction = transaction
        self.outcome = outcome
        self.onComplete = onComplete
    }

    func commit() {
        do {
            let transaction = try self.transaction.get()
            let version = try transaction.commit()
            realm.instance.file.log(version, after: transaction.base.version)
            outcome?.end(.committed(version))
            result = .success(version)
        } catch {
            outcome?.end(.cancelled)
            result = .failure(error)
        }
    }
}
