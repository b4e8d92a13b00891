import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// One open realm: a version of a file, as seen by one thread, queue or actor.
///
/// It is not safe to use elsewhere, which ``checkConfinement()`` prevents. Only a frozen realm is
/// safe: ``frozenLock`` guards its caches, and `bindingLock` guards its class bindings.
///
///     snapshot       the version that reads see outside of a transaction and at its beginning
///     transaction    set while one is open; reads go through it after its first change
///     epoch          changes whenever reads may see something else; the location of an object
///                    is valid only for one epoch
final class RealmInstance: @unchecked Sendable {
    let confinement: Confinement
    let isFrozen: Bool
    let frozenLock = Lock()
    /// A lock that guards the bindings of a frozen realm, with or without ``frozenLock`` held.
    private let bindingLock = Lock()
    private(set) var snapshot: DatabaseSnapshot {
        didSet { shownVersion.withLock { $0 = snapshot.version } }
    }
    /// The version of ``snapshot``, which other threads read to count versions.
    let shownVersion: Guarded<LSN>
    private(set) var transaction: WriteTransaction? {
        didSet { OpenTransactions.note(self, wasOpen: oldValue != nil) }
    }
    /// The access gate, which is freed with the instance.
    ///
    /// It retains the instance while there are objects.
    let gate: UnsafeMutablePointer<AccessGate>
    /// The error that prevents the open transaction from being committed.
    var transactionFailure: StoreError?
    /// Whether the open transaction has changed anything.
    private var hasChanged = false
    /// The outcome of the open transaction, if a reference depends on it.
    private(set) var outcome: TransactionOutcome?
    private(set) var bindings: [ObjectIdentifier: ClassBinding] = [:]
    private(set) var dynamicBindings: [ClassID: ClassBinding] = [:]
    /// The slot of the most recently used binding, which is usually requested again.
    ///
    /// ``bindings`` retains its owner. An address is used because references would be counted for
    /// each object that is read.
    private var recentSlot: UnsafeMutablePointer<CursorSlot>?
    /// The cursors, with their bindings so that the identity of a freed binding is not reused.
    private var cursors: [ObjectIdentifier: (binding: ClassBinding, cursor: ObjectCursor)] = [:]
    var autorefresh: Bool
    /// Whether this is a realm of a migration, all of whose objects are dynamic.
    var isOfMigration = false
    /// Whether the realm advances even if nothing in it is observed.
    let advancesAutomatically: Bool
    /// The adder of objects in the open transaction, while it is idle.
    var cachedAdder: ObjectAdding?
    /// The transactions that wait or are committed in the background.
    let asyncWork = AsyncWork()
    /// The edits of the running subscription update, or `nil` if none is running.
    var subscriptionUpdate: SubscriptionUpdate?
    /// The observers of this realm.
    let observation = RealmObservation()
    /// The running migration, if this is its realm of new objects.
    private(set) var migration: InstanceMigration?

    /// The file of the realm.
    ///
    /// Declared after everything that pins a version, so that it is released last: that removes a file in
    /// memory.
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
        autorefresh = !isFrozen && !file.configuration.readOnly
        advancesAutomatically =
            autorefresh && file.configuration.advancesAutomatically && confinement.canSchedule
        gate.initialize(to: AccessGate(self, confinement, isFrozen: isFrozen))
        if advancesAutomatically { file.watch.begin(file) }
    }

    deinit {
        if advancesAutomatically { file.watch.end() }
        if transaction != nil { OpenTransactions.reportFreed(self) }
        outcome?.end(.cancelled)
        file.forget(self)
        gate.deinitialize(count: 1)
        gate.deallocate()
    }

    var epoch: UInt64 { gate.pointee.epoch }

    /// The identity of this instance among the instances of its file.
    var key: Confinement.Key { isFrozen ? .version(snapshot.version) : confinement.key }

    /// Returns whether ``invalidate()`` was called after an epoch.
    func isStale(_ epoch: UInt64) -> Bool { epoch < gate.pointee.validSince }

    @inline(__always)
    func checkConfinement() { confinement.check(file.path) }

    /// Stops the program because the database cannot be read, since properties cannot throw.
    func stop(_ error: StoreError, _ work: String) -> Never {
        misuse("\(work) failed: \(Realm.Error(error).message)")
    }

    // MARK: Reading

    /// The transaction, if it has changed anything that reads must see.
    var changingTransaction: WriteTransaction? {
        guard hasChanged else { return nil }
        if migration != nil { writeMigratedValues() }
        return transaction
    }

    /// Returns the version that reads see, including the changes of the open transaction.
    ///
    /// - Complexity: O(objects created since the last call) in a write transaction
    func currentSnapshot() throws(StoreError) -> DatabaseSnapshot {
        guard let transaction = changingTransaction else { return snapshot }
        return DatabaseSnapshot(try transaction.snapshot(), now: snapshot.now)
    }

    /// Returns the cursor that reads the objects of a class.
    ///
    /// The result is `nil` if the version lacks the class.
    func cursor(of binding: ClassBinding) throws(StoreError) -> ObjectCursor? {
        let id = ObjectIdentifier(binding)
        if let known = cursors[id] { return known.cursor }
        let cursor = ObjectCursor(
            try currentSnapshot().snapshot, binding.schema.id, binding.columns)
        if let cursor { cursors[id] = (binding, cursor) }
        return cursor
    }

    /// Returns the binding of a class of the model to this file.
    func binding(of type: ObjectBase.Type) -> ClassBinding {
        guard isFrozen else { return bindingHere(of: type) }
        return bindingLock.withLock { bindingHere(of: type) }
    }

    /// Returns the binding of a class of the file for dynamic objects.
    func dynamicBinding(of schema: ClassSchema) -> ClassBinding {
        guard isFrozen else { return dynamicBindingHere(of: schema) }
        return bindingLock.withLock { dynamicBindingHere(of: schema) }
    }

    private func dynamicBindingHere(of schema: ClassSchema) -> ClassBinding {
        if let known = dynamicBindings[schema.id] { return known }
        let binding = ClassBinding(dynamic: schema, in: self, migration)
        dynamicBindings[schema.id] = binding
        return binding
    }

    private func bindingHere(of type: ObjectBase.Type) -> ClassBinding {
        if let binding = bindings[ObjectIdentifier(type)] {
            recentSlot = binding.slot
            return binding
        }
        guard type != DynamicObject.self else {
            misuse(
                "a DynamicObject is of no class of its own: use dynamicCreate(), dynamicObjects() or "
                    + "dynamicObject(ofType:forPrimaryKey:) with the name of a class")
        }
        let name = type.className()
        guard let schema = snapshot.schema.classNamed(name),
            let binding = ClassBinding(ClassLayout.of(type), schema, in: self)
        else {
            misuse(file.absence(of: type))
        }
        bindings[ObjectIdentifier(type)] = binding
        return binding
    }

    /// Returns an object of the model for a row.
    func object<T: ObjectBase>(_ type: T.Type, _ reference: ObjectReference) -> T {
        let object = type.init()
        if !isFrozen, let slot = recentSlot, slot.pointee.type == ObjectIdentifier(type) {
            object.manage(slot, reference.rowID)
            return object
        }
        object.manage(binding(of: type, reference.classID), reference.rowID)
        return object
    }

    private func forgetBindings() {
        (bindings, dynamicBindings, recentSlot) = ([:], [:], nil)
    }

    /// Invalidates all objects and collections that exist.
    private func forgetAllObjects() {
        gate.pointee.validSince = epoch
        // New objects get bindings that were made since.
        forgetBindings()
    }

    private func invalidateCaches() {
        gate.pointee.epoch += 1
        if !cursors.isEmpty { cursors = [:] }
    }

    func show(_ newer: DatabaseSnapshot) {
        // A class may have gained columns. A binding to the old columns would write too few values.
        // Classes that a read-only file lacks do not count in its schema version.
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

    /// Advances to the newest version and notifies the observers.
    ///
    /// - Returns: Whether the version is newer than the previous one.
    func refresh() throws(StoreError) -> Bool {
        let isNewer = try showNewestIfAny()
        observation.deliver(self)
        return isNewer
    }

    /// Advances to the newest version, unless a write transaction is open.
    func refreshUnlessWriting() throws(Realm.Error) {
        guard transaction == nil, !isFrozen else { return }
        do { _ = try refresh() } catch { throw Realm.Error(error) }
    }

    /// Advances to the newest version.
    ///
    /// - Returns: Whether the version is newer than the previous one.
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

    /// Shows the same version, now with the classes of the model that it lacked.
    func showCompleted() throws(StoreError) {
        guard !file.isComplete(snapshot) else { return }
        show(file.completed(snapshot))
    }

    /// Advances to the newest version and invalidates everything that was read from the realm.
    ///
    /// The previous version can then be released.
    func invalidate() throws(StoreError) {
        transaction?.rollback()
        endTransaction()
        show(try file.newestSnapshot())
        forgetAllObjects()
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

    /// Continues a transaction that was begun elsewhere.
    ///
    /// Before the program sees the transaction, the observers are notified of the version on which
    /// it is based. If a block of an observer writes, it takes this transaction, and another one is
    /// begun.
    func adopt(_ begun: WriteTransaction) throws(StoreError) {
        var next = begun
        while true {
            do {
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

    /// Hands over the open transaction to be committed elsewhere.
    ///
    /// Reads continue to see its changes.
    ///
    /// - Returns: The transaction and its outcome.
    func detachTransaction() -> (Result<WriteTransaction, StoreError>, TransactionOutcome?) {
        guard let transaction else {
            misuse("there is no write transaction to commit: call beginWrite() first")
        }
        defer { endTransaction() }
        if let transactionFailure {
            transaction.rollback()
            return (.failure(transactionFailure), nil)
        }
        do {
            show(DatabaseSnapshot(try transaction.snapshot(), now: snapshot.now))
            observation.isProvisional = true
            return (.success(transaction), outcome.take())
        } catch {
            transaction.rollback()
            return (.failure(error), nil)
        }
    }

    /// Shows the newest version, even if it is older than the one shown, after a failed commit.
    func showNewest() throws(StoreError) {
        show(try file.database.snapshot())
        observation.deliver(self, onlyImmediate: true)
        observation.schedule(self)
    }

    /// Performs a step of the open transaction.
    ///
    /// Breaking a rule of the data is a programming error. If the system fails, for example because
    /// the disk is full, the transaction can no longer be committed, and the commit throws the
    /// error.
    func change(
        _ what: @autoclosure () -> String,
        _ body: (WriteTransaction) throws(StoreError) -> Void
    ) {
        let transaction = writableTransaction(what)
        if let migration {
            writeMigratedValues()
            // The step may delete the object.
            migration.writes.object = nil
        }
        guard transactionFailure == nil else { return }
        hasChanged = true
        invalidateCaches()
        do {
            try body(transaction)
        } catch {
            switch error.code {
            case .diskFull, .inputOutput, .poisoned, .corrupt, .lockHeld, .limitExceeded:
                // The first error is the cause.
                transactionFailure = transactionFailure ?? error
            default:
                let remedy = RealmInstance.remedy(error).map { "; \($0)" } ?? ""
                misuse("cannot \(what()): \(error.detail)\(remedy)")
            }
        }
    }

    /// Returns the remedy for a broken rule, in the terms of this API.
    private static func remedy(_ error: StoreError) -> String? {
        switch error.code {
        case .duplicateKey:
            "choose another value, or use update: .modified to change the object with that key"
        case .unknownObject: "ask isInvalidated before"
        default: error.remedy
        }
    }

    /// Returns the outcome of the open transaction, or `nil` if it has changed nothing.
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
            guard !file.configuration.readOnly else {
                misuse(
                    "cannot \(what()): the realm at \(file.path) was opened for reading only; open it "
                        + "without readOnly")
            }
            misuse("cannot \(what()) outside of a write transaction: do it in realm.write { }")
        }
        return transaction
    }

    /// Commits the transaction, shows its version, and notifies all observers except the observers
    /// of `tokens`.
    func commit(withoutNotifying tokens: [NotificationToken] = []) throws(StoreError) {
        checkNotMigrating()
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
        do {
            version = try transaction.commit()
        } catch {
            invalidateCaches()
            throw error
        }
        outcome.take()?.end(.committed(version))
        show(try committed(version))
        return version
    }

    /// Returns the version that was just committed.
    ///
    /// Observers are notified separately of later commits by other writers. Those commits are not
    /// skipped together with the one that some observers ignore.
    private func committed(_ version: LSN) throws(StoreError) -> DatabaseSnapshot {
        let newest = try file.database.snapshot()
        guard newest.version > version, !observation.isEmpty else { return newest }
        do {
            return try file.database.snapshot(at: .number(version))
        } catch {
            guard error.code == .versionGone else { throw error }
            return newest
        }
    }

    /// Discards the changes of the open transaction.
    func cancel() {
        checkNotMigrating()
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

    // MARK: Migrations

    /// Shows the objects of a migration, and continues in its transaction.
    func beginMigration(_ migration: InstanceMigration) throws(StoreError) {
        self.migration = migration
        transaction = migration.transaction
        hasChanged = true
        try showMigratedClasses()
    }

    /// Invalidates everything that was read in a migration.
    func endMigration() {
        migration = nil
        endTransaction()
        invalidateCaches()
        forgetAllObjects()
    }
}
