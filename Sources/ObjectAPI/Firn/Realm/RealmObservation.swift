import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// The observers of one realm.
///
/// Tokens end and commits arrive on any thread, so ``shared`` is guarded. All other state is
/// confined to where the realm is used.
final class RealmObservation: @unchecked Sendable {
    private struct Shared {
        /// The observers, in the order of their registration.
        var observers: [Observer] = []
        /// Whether a check for the newest version is scheduled where the realm is used.
        var isScheduled = false
        /// Whether another realm of the file committed a transaction that changed nothing.
        var hasEmptyCommit = false
        /// The error after which no more versions can be read.
        var failure: StoreError?
        /// The thread whose mailbox holds the scheduled check, if any.
        var mailbox: ThreadIdentity?
        /// The run loop of the thread while it observes something, if it is not the main thread.
        var runLoop: ThreadRunLoop?
    }

    private let shared = Guarded(Shared())
    private var isDelivering = false
    /// Whether a scheduled check was skipped because a block ran notifications during a delivery.
    private var hasMissedLook = false
    /// The newest version that the realm itself committed.
    private(set) var lastOwnCommit: LSN?
    /// A transaction that has begun while observers are still being notified of earlier changes.
    ///
    /// A block that writes takes it.
    var waitingTransaction: WriteTransaction?
    /// Whether the realm shows changes of an asynchronous commit that has not created a version
    /// yet.
    var isProvisional = false

    private var observers: [Observer] { shared.withLock { $0.observers } }

    var isEmpty: Bool { shared.withLock { $0.observers.isEmpty } }

    // MARK: Registration

    func add(_ observer: Observer, _ instance: RealmInstance) {
        let isThread = if case .thread = instance.confinement { true } else { false }
        shared.withLock { shared in
            shared.observers.append(observer)
            if isThread, shared.runLoop == nil { shared.runLoop = ThreadRunLoop() }
        }
        instance.file.watch.begin(instance.file)
        schedule(instance)
    }

    /// Removes an observer.
    ///
    /// Can be called repeatedly and on any thread.
    func remove(_ observer: Observer, _ instance: RealmInstance) {
        let (wasThere, runLoop) = shared.withLock { shared -> (Bool, ThreadRunLoop?) in
            guard let index = shared.observers.firstIndex(where: { $0 === observer }) else {
                return (false, nil)
            }
            shared.observers.remove(at: index)
            guard shared.observers.isEmpty else { return (true, nil) }
            defer { shared.runLoop = nil }
            return (true, shared.runLoop)
        }
        if wasThere { instance.file.watch.end() }
        // Freed without the lock, because that ends a waiting run loop.
        withExtendedLifetime(runLoop) {}
    }

    // MARK: Delivery

    /// Whether an observer has changes to report up to the version that the realm shows.
    var isDue: Bool { observers.contains { $0.isDue } }

    /// Notifies the observers of the changes up to the version that the realm shows.
    ///
    /// Blocks may do anything, including writing and refreshing. Changes that they make are
    /// reported after the current ones.
    ///
    /// - Parameter onlyImmediate: Whether only immediate observers are notified, and others later.
    func deliver(_ instance: RealmInstance, onlyImmediate: Bool = false) {
        guard !isDelivering, !isProvisional, instance.transaction == nil, !isEmpty else { return }
        isDelivering = true
        defer {
            isDelivering = false
            if hasMissedLook {
                hasMissedLook = false
                schedule(instance)
            }
        }
        if takeEmptyCommit() { for observer in observers { observer.noteEmptyCommit() } }
        let changes = ChangeSource(instance)
        var hasTold = true
        while hasTold {
            hasTold = false
            for observer in observers
            where observer.isDue && (observer.isImmediate || !onlyImmediate) {
                // An earlier block may have ended the observation.
                guard !observer.registration.isEnded else { continue }
                hasTold = true
                observer.deliver(changes)
                guard instance.transaction == nil else { leftOpen() }
            }
        }
    }

    private func leftOpen() -> Never {
        misuse(
            "a block of observe() left a write transaction open: commit or cancel it before the "
                + "block returns")
    }

    /// Notifies the immediate observers of a commit of the realm, except for the silent ones.
    ///
    /// - Parameters:
    ///   - base: The previous version.
    ///   - silent: The observers that are not notified.
    func didCommit(
        _ version: LSN, after base: DatabaseSnapshot, silent: [Observer], _ instance: RealmInstance
    ) {
        guard version > base.version else {
            return didCommitNothing(besides: silent, instance)
        }
        lastOwnCommit = version
        if !silent.isEmpty {
            let changes = ChangeSource(instance)
            for observer in silent { observer.skip(from: base, changes) }
        }
        deliver(instance, onlyImmediate: true)
    }

    /// Records that an asynchronous commit of the realm has ended.
    func noteOwnCommit(_ version: LSN) { lastOwnCommit = max(lastOwnCommit ?? version, version) }

    /// Notifies the realms of the file that a commit changed nothing, and this realm immediately.
    func didCommitNothing(besides silent: [Observer], _ instance: RealmInstance) {
        for observer in observers where !silent.contains(where: { $0 === observer }) {
            observer.noteEmptyCommit()
        }
        deliver(instance, onlyImmediate: true)
        guard instance.file.watch.hasObservers else { return }
        for other in instance.file.liveInstances where other !== instance && !other.isFrozen {
            other.observation.shared.withLock { $0.hasEmptyCommit = true }
            other.observation.schedule(other)
        }
    }

    private func takeEmptyCommit() -> Bool {
        shared.withLock { shared in
            defer { shared.hasEmptyCommit = false }
            return shared.hasEmptyCommit
        }
    }

    func fail(_ error: StoreError) {
        for observer in observers { observer.fail(error) }
    }

    func renew() {
        for observer in observers { observer.renew() }
    }

    // MARK: Scheduling

    /// Schedules a notification of the observers where the realm is used.
    ///
    /// Further calls have no effect until it has run. This method can be called on any thread.
    ///
    /// - Parameter failure: The error if the database can no longer be read, which ends all
    ///   observations.
    func schedule(_ instance: RealmInstance, failure: StoreError? = nil) {
        let isFirst = shared.withLock { shared in
            guard !shared.observers.isEmpty || instance.advancesAutomatically else { return false }
            shared.failure = failure ?? shared.failure
            guard !shared.isScheduled else { return false }
            shared.isScheduled = true
            return true
        }
        guard isFirst else { return }
        if let thread = instance.confinement.thread {
            shared.withLock { $0.mailbox = thread }
        }
        instance.confinement.notify(
            { [weak instance] in
                guard let instance else { return }
                instance.observation.runScheduled(instance)
            }, from: ObjectIdentifier(self))
        shared.withLock { $0.runLoop }?.wake()
    }

    deinit {
        guard let thread = shared.withLock({ $0.mailbox }) else { return }
        ThreadMailbox.forget(ObjectIdentifier(self), on: thread)
    }

    private func takeFailure() -> StoreError? {
        shared.withLock { shared in
            defer { shared.failure = nil }
            return shared.failure
        }
    }

    private func runScheduled(_ instance: RealmInstance) {
        let isWanted = shared.withLock { shared in
            defer { shared.isScheduled = false }
            return shared.isScheduled
        }
        // While a transaction is open or a commit is in progress, its end notifies the observers.
        guard isWanted, !isProvisional, instance.transaction == nil else { return }
        guard !isDelivering else {
            hasMissedLook = true
            return
        }
        do throws(StoreError) {
            if let failure = takeFailure() { throw failure }
            if instance.autorefresh {
                try instance.showNewestIfAny()
            } else {
                let newest = try instance.file.database.snapshot().version
                if newest > instance.snapshot.version {
                    for observer in observers { observer.refreshRequired(newest) }
                }
            }
        } catch {
            return fail(error)
        }
        deliver(instance)
    }
}
