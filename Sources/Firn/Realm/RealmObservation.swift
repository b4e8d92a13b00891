import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// Who is told what happens to one realm.
///
/// Tokens end and commits come on any thread, which ``shared`` is for; all the rest belongs to where
/// the realm is used.
final class RealmObservation: @unchecked Sendable {
    private struct Shared {
        /// In the order of their registration.
        var observers: [Observer] = []
        /// Whether a look at the newest version is on its way to where the realm is used.
        var isScheduled = false
        /// Whether another realm of the file committed a transaction that changed nothing.
        var hasEmptyCommit = false
        /// Why there will be nothing more to look at.
        var failure: StoreError?
        /// The thread that it was left for, if it was.
        var mailbox: ThreadIdentity?
    }

    private let shared = Guarded(Shared())
    private var isDelivering = false
    /// Whether a block waited for notifications itself, so that a look came while others were told.
    private var hasMissedLook = false
    /// The newest version that the realm itself committed.
    private(set) var lastOwnCommit: LSN?
    /// A transaction that has begun, until those are told who have to be told before.
    ///
    /// A block that writes takes it.
    var waitingTransaction: WriteTransaction?
    /// Whether the realm shows what an asynchronous commit is going to make a version.
    var isProvisional = false

    private var observers: [Observer] { shared.withLock { $0.observers } }

    var isEmpty: Bool { shared.withLock { $0.observers.isEmpty } }

    // MARK: Coming and going

    func add(_ observer: Observer, _ instance: RealmInstance) {
        shared.withLock { $0.observers.append(observer) }
        instance.file.watch.begin(instance.file)
        schedule(instance)
    }

    /// Can be called on any thread, and again.
    func remove(_ observer: Observer, _ instance: RealmInstance) {
        let wasThere = shared.withLock { shared in
            guard let index = shared.observers.firstIndex(where: { $0 === observer }) else {
                return false
            }
            shared.observers.remove(at: index)
            return true
        }
        if wasThere { instance.file.watch.end() }
    }

    // MARK: Telling

    /// Whether anybody is to be told something about the version that the realm shows.
    var isDue: Bool { observers.contains { $0.isDue } }

    /// Tells everybody who has to be told what led to the version that the realm shows.
    ///
    /// Blocks may do everything, also write and refresh. What comes of that is told when those before
    /// have been told.
    ///
    /// - Parameter onlyImmediate: leaves the others for later.
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
                // A block before it may have ended it.
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

    /// Tells what a commit of the realm itself did to those who want to know at once, and nothing at
    /// all to some.
    ///
    /// - Parameters:
    ///   - base: the version before.
    ///   - silent: are not to be told.
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

    /// An asynchronous commit of the realm has ended.
    func noteOwnCommit(_ version: LSN) { lastOwnCommit = max(lastOwnCommit ?? version, version) }

    /// Tells the realms of the file that a commit has changed nothing; this one at once.
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

    // MARK: Later

    /// Sees to it that those are told where the realm is used who have to be; once, however often it is
    /// asked for until then.
    ///
    /// Can be called on any thread.
    ///
    /// - Parameter failure: if the database cannot be read any more, which ends what observes it.
    func schedule(_ instance: RealmInstance, failure: StoreError? = nil) {
        let isFirst = shared.withLock { shared in
            guard !shared.observers.isEmpty else { return false }
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
        // While a transaction is open, or a commit goes on, its end does it.
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
