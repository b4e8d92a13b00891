import Dispatch
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// A closure that creates the tracker of a source where the block is called.
///
/// - Parameters:
///   - source: The observed value, either in the realm `there` or in a frozen realm.
///   - there: The realm in which the block is called.
///   - position: The version at the call of `observe`, or `nil` to start with the first version
///     that is shown.
typealias TrackerMaker<Source, Change> = (
    _ source: Source, _ there: RealmInstance, _ position: DatabaseSnapshot?
) -> Tracker<Change>

/// Starting an observation.
///
/// If the block is called elsewhere than the realm is used, the source is handed over in the
/// version at the call. Changes that are committed during the handover are reported.
extension ThreadConfined {
    /// Calls a block where the realm is used, or on a queue.
    func observing<Change>(
        on queue: DispatchQueue?, _ block: @escaping (Change) -> Void,
        _ maker: @escaping TrackerMaker<Self, Change>
    ) -> NotificationToken {
        let registration = Registration()
        guard let queue else {
            let instance = observableInstance()
            let tracker = maker(self, instance, instance.position)
            registration.attach(BlockObserver(registration, tracker, block), to: instance)
            return NotificationToken(registration)
        }
        let begin = UnsafeTransfer(beginning(registration, block, maker))
        queue.async {
            begin.value(.of(queue))
        }
        return NotificationToken(registration)
    }

    /// Prepares to call a block on an actor.
    ///
    /// The observation begins when that actor runs the
    /// result.
    func observing<Change, Owner: Actor>(
        on actor: Owner, _ block: @escaping @Sendable (isolated Owner, Change) -> Void,
        _ maker: @escaping TrackerMaker<Self, Change>
    ) -> Beginning {
        let registration = Registration()
        // A weak reference, because an actor may store the token.
        let call = { [weak actor] (change: Change) in
            guard let actor else { return }
            let transfer = UnsafeTransfer(change)
            actor.assumeIsolated { block($0, transfer.value) }
        }
        return Beginning(
            token: NotificationToken(registration),
            begin: beginning(registration, call, maker))
    }

    /// Returns the changes from now on as a sequence, for a loop where the realm is used.
    func observedChanges<Change>(
        _ maker: @escaping TrackerMaker<Self, Change>
    ) -> ObservedChanges<Change> {
        let instance = observableInstance()
        let position = instance.position
        return ObservedChanges(instance) { maker(self, instance, position) }
    }

    /// Returns the work to do where the block is called.
    private func beginning<Change>(
        _ registration: Registration, _ block: @escaping (Change) -> Void,
        _ maker: @escaping TrackerMaker<Self, Change>
    ) -> (Confinement) -> Void {
        let instance = observableInstance()
        let (position, unobservable) = (instance.position, self.unobservable)
        let frozen = Realm(instance.file.frozen(instance.snapshot))
        let source = UnsafeTransfer(_moved(to: frozen))
        return { confinement in
            guard !registration.isEnded else { return }
            let tracker: Tracker<Change>
            if instance.confinement.key == confinement.key {
                tracker = maker(self, instance, position)
            } else if let source = source.value {
                tracker = maker(source, frozen.instance.current(confinement), position)
            } else {
                misuse(unobservable)
            }
            registration.attach(BlockObserver(registration, tracker, block), to: tracker.instance)
        }
    }

    // MARK: Checking the source

    private var unobservable: String {
        "observe() of a \(Self.self) that was deleted or invalidated: ask isInvalidated before"
    }

    /// Returns the realm.
    ///
    /// Stops the program if nothing can be observed now.
    func observableInstance() -> RealmInstance {
        guard let instance = realm?.instance else {
            misuse("observe() of a \(Self.self) that is in no realm: add it first")
        }
        instance.checkObservable("\(Self.self)")
        guard !isInvalidated else { misuse(unobservable) }
        return instance
    }
}

/// An observation that begins when its actor starts it.
struct Beginning: @unchecked Sendable {
    let token: NotificationToken
    let begin: (Confinement) -> Void

    /// Begins the observation on the actor, unless the task was cancelled.
    ///
    /// - Returns: The token. Every commit from now on is reported.
    func begun<Owner: Actor>(on actor: isolated Owner) -> NotificationToken {
        guard !Task.isCancelled else {
            token.invalidate()
            return token
        }
        begin(.of(actor))
        return token
    }
}

extension RealmInstance {
    /// Stops the program if nothing in this realm can be observed now.
    func checkObservable(_ what: String) {
        guard !isFrozen else {
            misuse("observe() of a frozen \(what), which never changes: thaw() it first")
        }
        checkConfinement()
        guard !file.configuration.readOnly else {
            misuse(
                "observe() of a \(what) of a realm that was opened for reading only: open it without "
                    + "readOnly")
        }
        guard transaction == nil else {
            misuse(
                "observe() of a \(what) in a write transaction: observe before the transaction, or "
                    + "after it")
        }
    }

    /// The version that a new observer starts from, or `nil` if it is about to be committed.
    var position: DatabaseSnapshot? { observation.isProvisional ? nil : snapshot }

    /// Returns the realm of another confinement, which shows at least the version of this one.
    fileprivate func current(_ confinement: Confinement) -> RealmInstance {
        do {
            let there = try file.instance(confinement)
            // A realm with an open transaction is already at the newest version.
            if there.snapshot.version < snapshot.version, there.transaction == nil {
                try there.showNewestIfAny()
                there.observation.schedule(there)
            }
            return there
        } catch {
            stop(error, "observing")
        }
    }

    /// Returns the observers of tokens that are not notified of the open transaction.
    func observers(of tokens: [NotificationToken]) -> [Observer] {
        guard !tokens.isEmpty else { return [] }
        guard transaction != nil else {
            misuse(
                "withoutNotifying outside of a write transaction: there is nothing that could be kept "
                    + "from anybody")
        }
        return tokens.compactMap { token in
            let registration = token.registration
            guard !registration.isEnded else { return nil }
            // An observation that has not begun starts from the committed version.
            guard registration.instance.map({ $0 === self }) ?? true else {
                misuse(
                    "withoutNotifying with a token of another realm: only observations of the realm "
                        + "that is written to can be left out")
            }
            return registration.observer
        }
    }
}
