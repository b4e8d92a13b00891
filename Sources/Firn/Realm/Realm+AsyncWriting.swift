import Dispatch
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// Write transactions that wait for other writers, and for the disk, in the background.
extension Realm {
    /// Names a transaction that has not begun, or is being committed.
    public struct AsyncTransactionId: Hashable, Sendable {
        let number: UInt64
    }

    /// Whether a transaction of ``writeAsync(_:onComplete:)`` or its like has not ended.
    public var isPerformingAsynchronousWriteOperations: Bool { instance.asyncWork.isBusy }

    /// Runs code in a write transaction as soon as other writers have finished, and commits it in the
    /// background.
    ///
    /// - Parameters:
    ///   - block: runs where the realm is used, after those that were handed in before.
    ///   - onComplete: gets `nil` once all is on disk, else why not.
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
    /// - Parameter block: runs where the realm is used; it, or something after it, calls
    ///   ``commitAsyncWrite(allowGrouping:_:)``, ``commitWrite()`` or ``cancelWrite()``. A transaction
    ///   that is still open when it returns is cancelled.
    @discardableResult
    public func beginAsyncWrite(_ block: @escaping () -> Void) -> AsyncTransactionId {
        checkCanSchedule()
        return instance.asyncWork.add(block, onFailure: nil, to: self)
    }

    /// Commits the open transaction in the background.
    ///
    /// - Parameters:
    ///   - allowGrouping: makes no difference: commits that come at the same time share a sync
    ///     anyway.
    ///   - onComplete: gets `nil` once all is on disk, else why not.
    @discardableResult
    public func commitAsyncWrite(
        allowGrouping: Bool = false, _ onComplete: (((any Swift.Error)?) -> Void)? = nil
    ) -> AsyncTransactionId {
        checkCanSchedule()
        return instance.asyncWork.commit(self, onComplete)
    }

    /// Calls off a transaction that has not begun.
    ///
    /// - Throws: ``Realm/Error`` with `invalidInput` if it has.
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

/// The asynchronous transactions of one realm: one after the other.
///
/// Belongs to where the realm is used, as all of the realm does.
final class AsyncWork: @unchecked Sendable {
    private struct Waiting {
        let id: Realm.AsyncTransactionId
        let block: () -> Void
        /// Is told when the transaction cannot begin.
        let onFailure: (((any Error)?) -> Void)?
    }

    private var waiting: [Waiting] = []
    /// Those of this queue, and of asynchronous writes of actors.
    let beginnings = PendingTransactions()
    private var nextNumber: UInt64 = 1
    /// Whether a transaction has been asked for, or is open.
    private var isBeginning = false
    private var commitCount = 0

    var isBusy: Bool { isBeginning || !waiting.isEmpty || commitCount > 0 }

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

    /// Waits for other writers on another thread, and goes on here.
    private func beginNext(_ realm: Realm) {
        guard !isBeginning, !waiting.isEmpty, commitCount == 0 else { return }
        isBeginning = true
        let handed = UnsafeTransfer(realm)
        let instance = realm.instance
        // The work of an actor is done even if the program has let go of the actor.
        let actor = instance.confinement.actor
        beginnings.begin(instance.file) { ticket in
            _ = instance.confinement.schedule { self.run(ticket, handed.value) }
            withExtendedLifetime(actor) {}
        }
    }

    private func run(_ ticket: PendingTransactions.Ticket, _ realm: Realm) {
        isBeginning = false
        do throws(StoreError) {
            // A write of the program may have taken it: then another one is begun.
            if let transaction = try beginnings.take(ticket) { try run(transaction, realm) }
        } catch {
            if !waiting.isEmpty { fail(waiting.removeFirst(), error) }
        }
        beginNext(realm)
    }

    private func run(_ transaction: WriteTransaction, _ realm: Realm) throws(StoreError) {
        guard !waiting.isEmpty else { return transaction.rollback() }
        try realm.instance.adopt(transaction)
        waiting.removeFirst().block()
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
        // Before the question whether anybody wants to know: what is not called computes no argument.
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
        do throws(StoreError) {
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

/// A transaction on its way from where its realm is used to the disk and back.
private final class AsyncCommit: @unchecked Sendable {
    let realm: Realm
    let onComplete: (((any Error)?) -> Void)?
    private let transaction: Result<WriteTransaction, StoreError>
    private let outcome: TransactionOutcome?
    /// The version that it made; `nil` until it is over.
    private(set) var result: Result<LSN, StoreError>?
    /// The version that it changed; `nil` if it could not be committed.
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
        do throws(StoreError) {
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
