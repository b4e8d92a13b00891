import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// One open realm: a version of a file, seen by one thread, queue or actor.
///
/// Not safe to use from elsewhere, which ``checkConfinement()`` stops; only a frozen one is, and
/// then ``frozenLock`` guards what it remembers, and `bindingLock` how classes are stored.
///
///     snapshot       what reads see, outside of a transaction and at its beginning
///     transaction    while one is open; reads go through it from its first change on
///     epoch          changes whenever what reads see may have changed: where an object was found
///                    holds only for one epoch
final class RealmInstance: @unchecked Sendable {
    let confinement: Confinement
    let isFrozen: Bool
    let frozenLock = Lock()
    /// Of a frozen one it guards the bindings, which are looked up while ``frozenLock`` is held and not.
    private let bindingLock = Lock()
    private(set) var snapshot: DatabaseSnapshot {
        didSet { shownVersion.withLock { $0 = snapshot.version } }
    }
    /// The version of ``snapshot``, which those who count versions ask for on other threads.
    let shownVersion: Guarded<LSN>
    private(set) var transaction: WriteTransaction? {
        didSet { OpenTransactions.note(self, wasOpen: oldValue != nil) }
    }
    /// Freed with the instance, which every object holds.
    let gate: UnsafeMutablePointer<AccessGate>
    /// Why the open transaction cannot be committed any more.
    private var transactionFailure: StoreError?
    /// Whether the open transaction has changed anything.
    private var hasChanged = false
    /// The outcome of the open transaction, once a reference depends on it.
    private(set) var outcome: TransactionOutcome?
    private var bindings: [ObjectIdentifier: ClassBinding] = [:]
    private var dynamicBindings: [ClassID: ClassBinding] = [:]
    /// The one that was asked for last: mostly it is asked for again.
    private var recentBinding: ClassBinding?
    /// With their bindings, so that no other one gets the identity of a binding that is gone.
    private var cursors: [ObjectIdentifier: (binding: ClassBinding, cursor: ObjectCursor)] = [:]
    /// The first epoch after ``invalidate()`` was called last: what was known before it stays
    /// invalidated for ever.
    private(set) var validSince: UInt64 = 0
    var autorefresh: Bool
    /// What added objects in the open transaction, while it has nothing to do.
    var cachedAdder: ObjectAdding?
    /// The transactions that wait, or are committed, in the background.
    let asyncWork = AsyncWork()
    /// What the block of an update of subscriptions has done so far; `nil` while none runs.
    var subscriptionUpdate: SubscriptionUpdate?
    /// Who is told what happens here.
    let observation = RealmObservation()

    /// Behind all that pins a version: a file in memory goes when the last realm lets go of it.
    let file: RealmFile

    init(
        _ file: RealmFile, _ confinement: Confinement, _ snapshot: DatabaseSnapshot,
        isFrozen: Bool = false
    ) {
        self.file = file
        self.confinement = confinement
        self.snapshot = snapshot
        shownVersion = Guarded(snapshot.version)
        self.isFrozen = isFrozen
        gate = .allocate(capacity: 1)
        gate.initialize(to: AccessGate(confinement, isFrozen: isFrozen))
        autorefresh = !isFrozen && !file.configuration.readOnly
    }

    deinit {
        if transaction != nil { OpenTransactions.reportFreed(self) }
        outcome?.end(.cancelled)
        file.forget(self)
        gate.deallocate()
    }

    var epoch: UInt64 { gate.pointee.epoch }

    /// The identity of this instance among those of its file.
    var key: Confinement.Key { isFrozen ? .version(snapshot.version) : confinement.key }

    /// Whether ``invalidate()`` was called after an epoch.
    func isStale(_ epoch: UInt64) -> Bool { epoch < validSince }

    @inline(__always)
    func checkConfinement() { confinement.check(file.path) }

    /// Ends the program because the database cannot be read: no property can throw.
    func stop(_ error: StoreError, _ work: String) -> Never {
        misuse("\(work) failed: \(Realm.Error(error).message)")
    }

    // MARK: Reading

    /// The transaction, if it has changed anything that reads must see.
    var changingTransaction: WriteTransaction? { hasChanged ? transaction : nil }

    /// The version as reads see it, changes of the open transaction included.
    ///
    /// - Complexity: O(objects created since the last call) in a write transaction
    func currentSnapshot() throws(StoreError) -> DatabaseSnapshot {
        guard let transaction = changingTransaction else { return snapshot }
        return DatabaseSnapshot(try transaction.snapshot(), now: snapshot.now)
    }

    /// Reads the objects of a class; `nil` if the version has no such class.
    func cursor(of binding: ClassBinding) throws(StoreError) -> ObjectCursor? {
        let id = ObjectIdentifier(binding)
        if let known = cursors[id] { return known.cursor }
        let cursor = ObjectCursor(
            try currentSnapshot().snapshot, binding.schema.id, binding.columns)
        if let cursor { cursors[id] = (binding, cursor) }
        return cursor
    }

    /// How a class of the model is stored in this file.
    func binding(of type: ObjectBase.Type) -> ClassBinding {
        guard isFrozen else { return bindingHere(of: type) }
        return bindingLock.withLock { bindingHere(of: type) }
    }

    /// How the objects of a class of the file are read whose properties the program does not declare.
    func dynamicBinding(of schema: ClassSchema) -> ClassBinding {
        guard isFrozen else { return dynamicBindingHere(of: schema) }
        return bindingLock.withLock { dynamicBindingHere(of: schema) }
    }

    private func dynamicBindingHere(of schema: ClassSchema) -> ClassBinding {
        if let known = dynamicBindings[schema.id] { return known }
        let binding = ClassBinding(dynamic: schema, in: snapshot.schema)
        dynamicBindings[schema.id] = binding
        return binding
    }

    private func bindingHere(of type: ObjectBase.Type) -> ClassBinding {
        if let recentBinding, recentBinding.layout.type == type { return recentBinding }
        if let binding = bindings[ObjectIdentifier(type)] {
            recentBinding = binding
            return binding
        }
        guard type != DynamicObject.self else {
            misuse(
                "a DynamicObject is of no class of its own: use dynamicCreate(), dynamicObjects() or "
                    + "dynamicObject(ofType:forPrimaryKey:) with the name of a class")
        }
        let name = type.className()
        guard let schema = snapshot.schema.classNamed(name),
            let binding = ClassBinding(ClassLayout.of(type), schema, in: snapshot.schema)
        else {
            misuse(
                "the realm at \(file.path) has no class \(name): add it to objectTypes of the "
                    + "configuration")
        }
        bindings[ObjectIdentifier(type)] = binding
        return binding
    }

    /// An object of the model for a row.
    func object<T: ObjectBase>(_ type: T.Type, _ reference: ObjectReference) -> T {
        let object = type.init()
        let binding =
            type == DynamicObject.self
            ? dynamicBinding(of: reference.classID) : binding(of: type)
        object.manage(self, binding, reference.rowID)
        return object
    }

    /// Whether an object exists in what reads see.
    func exists(_ row: RowID, _ binding: ClassBinding) throws(StoreError) -> Bool {
        if let transaction = changingTransaction {
            return try transaction.exists(row, in: binding.schema.id)
        }
        return try cursor(of: binding)?.move(to: row) ?? false
    }

    private func forgetBindings() {
        bindings = [:]
        dynamicBindings = [:]
        recentBinding = nil
    }

    private func invalidateCaches() {
        gate.pointee.epoch += 1
        if !cursors.isEmpty { cursors = [:] }
    }

    private func show(_ newer: DatabaseSnapshot) {
        // A class may have got columns: what is bound to the old ones would write too few values.
        // What a file that may only be read lacks is not counted.
        if newer.snapshot.schemaVersion != snapshot.snapshot.schemaVersion
            || file.configuration.readOnly
        {
            forgetBindings()
        }
        snapshot = newer
        observation.isProvisional = false
        invalidateCaches()
    }

    // MARK: Versions

    /// Shows the newest version, and tells those who observe.
    ///
    /// - Returns: whether it is newer than the one before.
    func refresh() throws(StoreError) -> Bool {
        let isNewer = try showNewestIfAny()
        observation.deliver(self)
        return isNewer
    }

    /// Shows the newest version.
    ///
    /// - Returns: whether it is newer than the one before.
    @discardableResult
    func showNewestIfAny() throws(StoreError) -> Bool {
        let newest = try file.newestSnapshot()
        guard newest.version > snapshot.version else { return false }
        Logger.log(
            .trace,
            "a realm of \(file.path) moves from version \(snapshot.version.rawValue) to "
                + "\(newest.version.rawValue)")
        show(newest)
        return true
    }

    /// Shows the same version with the classes of the model that it lacked so far.
    func showCompleted() throws(StoreError) {
        guard !file.isComplete(snapshot) else { return }
        show(file.completed(snapshot))
    }

    /// Shows the newest version, so that the one before can be given up, and nothing of what came out
    /// of it.
    func invalidate() throws(StoreError) {
        transaction?.rollback()
        endTransaction()
        show(try file.newestSnapshot())
        validSince = epoch
        observation.renew()
        observation.schedule(self)
    }

    // MARK: Writing

    /// Begins a transaction on the newest version.
    func begin() throws(StoreError) {
        if let waiting = observation.waitingTransaction {
            observation.waitingTransaction = nil
            transaction = waiting
            return
        }
        if let begun = try asyncWork.beginnings.takeFirst() { return try adopt(begun) }
        try adopt(try file.beginWaiting())
    }

    /// Goes on with a transaction that was begun elsewhere.
    ///
    /// Before it is there for the program, those who observe are told what it begins on. A block of
    /// theirs that writes gets it, and then it takes another one.
    func adopt(_ begun: WriteTransaction) throws(StoreError) {
        var next = begun
        while true {
            do throws(StoreError) {
                try file.checkActiveVersions(upTo: next.base.version, besides: self)
            } catch {
                next.rollback()
                throw error
            }
            transactionFailure = nil
            hasChanged = false
            if next.base.version > snapshot.version {
                show(DatabaseSnapshot(next.base, now: snapshot.now))
            }
            guard observation.isDue else { break }
            observation.waitingTransaction = next
            observation.deliver(self)
            if observation.waitingTransaction != nil {
                observation.waitingTransaction = nil
                break
            }
            next = try file.beginWaiting()
        }
        transaction = next
    }

    /// Gives the open transaction up to somebody who commits it; reads go on to see what it did.
    ///
    /// - Returns: the transaction, and whom to tell how it ends.
    func detachTransaction() -> (Result<WriteTransaction, StoreError>, TransactionOutcome?) {
        guard let transaction else {
            misuse("there is no write transaction to commit: call beginWrite() first")
        }
        defer { endTransaction() }
        if let transactionFailure {
            transaction.rollback()
            return (.failure(transactionFailure), nil)
        }
        do throws(StoreError) {
            show(DatabaseSnapshot(try transaction.snapshot(), now: snapshot.now))
            observation.isProvisional = true
            return (.success(transaction), outcome.take())
        } catch {
            transaction.rollback()
            return (.failure(error), nil)
        }
    }

    /// Shows the newest version, also if it is older than what was shown: a commit failed.
    func showNewest() throws(StoreError) {
        show(try file.database.snapshot())
        observation.deliver(self, onlyImmediate: true)
        observation.schedule(self)
    }

    /// Does a step of the open transaction.
    ///
    /// What breaks a rule of the data is a mistake of the program. When the system fails, such as
    /// for a full disk, the transaction cannot be committed any more, and that is where the error is
    /// thrown.
    func change(
        _ what: @autoclosure () -> String,
        _ body: (WriteTransaction) throws(StoreError) -> Void
    ) {
        let transaction = writableTransaction(what)
        guard transactionFailure == nil else { return }
        hasChanged = true
        invalidateCaches()
        do throws(StoreError) {
            try body(transaction)
        } catch {
            switch error.code {
            case .diskFull, .inputOutput, .poisoned, .corrupt, .lockHeld, .limitExceeded:
                // The first one says why.
                transactionFailure = transactionFailure ?? error
            default:
                let remedy = RealmInstance.remedy(error).map { "; \($0)" } ?? ""
                misuse("cannot \(what()): \(error.detail)\(remedy)")
            }
        }
    }

    /// What to do about a broken rule, in words of this API.
    private static func remedy(_ error: StoreError) -> String? {
        switch error.code {
        case .duplicateKey:
            "choose another key, or use update: .modified to change the object that is there"
        case .unknownObject: "ask isInvalidated before"
        default: error.remedy
        }
    }

    /// The outcome of the open transaction; `nil` while it has changed nothing.
    func changingOutcome() -> TransactionOutcome? {
        guard changingTransaction != nil else { return nil }
        let known = outcome ?? TransactionOutcome()
        outcome = known
        return known
    }

    private func writableTransaction(_ what: () -> String) -> WriteTransaction {
        guard !isFrozen else {
            misuse("cannot \(what()): the object or realm is frozen; call thaw() first")
        }
        checkConfinement()
        guard let transaction else {
            misuse("cannot \(what()) outside of a write transaction: do it in realm.write { }")
        }
        return transaction
    }

    /// Makes what was done durable, shows it, and tells those who observe; some may be left out.
    func commit(withoutNotifying tokens: [NotificationToken] = []) throws(StoreError) {
        let silent = observers(of: tokens)
        let base = snapshot
        let version = try commitHere()
        file.log(version, after: base.version)
        observation.didCommit(version, after: base, silent: silent, self)
        file.announce(version)
    }

    private func commitHere() throws(StoreError) -> LSN {
        guard let transaction else {
            misuse("there is no write transaction to commit: call beginWrite() first")
        }
        defer { endTransaction() }
        if let transactionFailure {
            transaction.rollback()
            throw transactionFailure
        }
        let version: LSN
        do throws(StoreError) {
            version = try transaction.commit()
        } catch {
            invalidateCaches()
            throw error
        }
        outcome.take()?.end(.committed(version))
        show(try committed(version))
        return version
    }

    /// The version that was just committed.
    ///
    /// Of what others have committed since, those who observe are told for itself: it is not skipped with
    /// what they do not want to be told.
    private func committed(_ version: LSN) throws(StoreError) -> DatabaseSnapshot {
        let newest = try file.database.snapshot()
        guard newest.version > version, !observation.isEmpty else { return newest }
        do throws(StoreError) {
            return try file.database.snapshot(at: .number(version))
        } catch {
            guard error.code == .versionGone else { throw error }
            return newest
        }
    }

    /// Forgets what was done.
    func cancel() {
        guard let transaction else {
            misuse("there is no write transaction to cancel: call beginWrite() first")
        }
        transaction.rollback()
        endTransaction()
        Logger.log(.debug, "a write transaction of \(file.path) was cancelled")
        observation.schedule(self)
    }

    private func endTransaction() {
        if hasChanged { invalidateCaches() }
        outcome.take()?.end(.cancelled)
        transaction = nil
        cachedAdder = nil
        hasChanged = false
        transactionFailure = nil
    }
}
