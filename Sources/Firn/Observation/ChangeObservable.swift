public import Dispatch

/// What tells how its elements change: a collection, a map, sections or one of them.
///
///     token = realm.objects(Dog.self).filter("age < 2").observe { change in
///         switch change {
///         case .initial(let puppies): show(puppies)
///         case .update(let puppies, let deletions, let insertions, let modifications):
///             update(puppies, deletions, insertions, modifications)
///         case .error(let error): complain(error)
///         }
///     }
///
/// The block is called first with the elements as they are, and then whenever a commit, of whichever
/// thread or process, changed something that is observed; several commits may come as one change. Where
/// the realm is used on the main thread, a queue or an actor, that happens by itself; on another
/// thread in ``Realm/refresh()``, at the beginning of write transactions, and in
/// ``Realm/runNotifications(for:until:)``.
///
/// When the object that has the elements is deleted, the block is told that all of them are, and then
/// nothing more; what was observed is invalidated then.
///
/// The program stops for what is unmanaged, frozen or opened for reading only, and after changes in an
/// open write transaction. Should the database become unreadable, it stops too where the change cannot
/// say so, as that of sections.
///
/// Only types of this module conform.
public protocol ChangeObservable: ThreadConfined {
    /// What is told.
    associatedtype ObservedChange
    /// Whose properties the key paths name that the compiler checks; `Never`: there are none.
    associatedtype ObservedElement

    /// How changes are found.
    func _tracking(_ keyPaths: [String]?) -> _ChangeTracking<Self>
}

/// How the changes of something are found, wherever that is used.
public struct _ChangeTracking<Source: ChangeObservable> {
    let maker: TrackerMaker<Source, Source.ObservedChange>

    init(_ maker: @escaping TrackerMaker<Source, Source.ObservedChange>) { self.maker = maker }
}

extension ChangeObservable {
    /// Calls a block when something changes.
    ///
    /// - Parameters:
    ///   - keyPaths: which properties of the objects are observed: `"age"`, or over links `"owner.name"`.
    ///     `nil`: all, also those of objects that can be reached over up to three links; of a
    ///     ``ProjectedCollection`` the one that it shows. None: only what comes and goes. The program
    ///     stops for a property that there is not.
    ///   - queue: the serial queue that runs the block, with what is observed as a realm of that queue
    ///     has it; `nil`: where the realm is used.
    ///   - block: gets each change. The paths in that of a ``ResultsSection`` are those of all sections.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (ObservedChange) -> Void
    ) -> NotificationToken {
        observing(on: queue, block, tracker(keyPaths))
    }

    /// Calls a block of an actor when something changes.
    ///
    /// What is committed after this has returned is told. A task that was cancelled observes nothing: the
    /// token has ended.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``.
    ///   - actor: runs the block, with what is observed as a realm of that actor has it.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [String]? = nil, on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, ObservedChange) -> Void
    ) async -> NotificationToken {
        await observing(on: actor, block, tracker(keyPaths)).begun(on: actor)
    }

    /// The changes, one after the other.
    ///
    ///     for await change in dogs.changes() { ... }
    ///
    /// The first is how things are. What happens while the loop is busy comes as one change. The
    /// sequence ends when the object that has the elements is deleted, or the task is cancelled. The
    /// loop runs where the realm is used: on the main actor or another one.
    ///
    /// - Parameter keyPaths: as in ``observe(keyPaths:on:_:)``.
    public func changes(keyPaths: [String]? = nil) -> ObservedChanges<ObservedChange> {
        observedChanges(tracker(keyPaths))
    }

    private func tracker(_ keyPaths: [String]?) -> TrackerMaker<Self, ObservedChange> {
        _ = observableInstance()
        return _tracking(keyPaths).maker
    }
}

/// Being told how objects change, by key paths that the compiler checks.
extension ChangeObservable where ObservedElement: KeypathSortable {
    /// Calls a block when something changes.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``. The program stops for what is no persisted
    ///     property.
    ///   - queue: the serial queue that runs the block; `nil`: where the realm is used.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [PartialKeyPath<ObservedElement>], on queue: DispatchQueue? = nil,
        _ block: @escaping (ObservedChange) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { ObservedElement.name(of: $0) }, on: queue, block)
    }

    /// Calls a block of an actor when something changes.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``. The program stops for what is no persisted
    ///     property.
    ///   - actor: runs the block, with what is observed as a realm of that actor has it.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [PartialKeyPath<ObservedElement>], on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, ObservedChange) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { ObservedElement.name(of: $0) }, on: actor, block)
    }

    /// The changes, one after the other; see ``changes(keyPaths:)``.
    ///
    /// - Parameter keyPaths: as in ``observe(keyPaths:on:_:)``. The program stops for what is no
    ///   persisted property.
    public func changes(
        keyPaths: [PartialKeyPath<ObservedElement>]
    ) -> ObservedChanges<ObservedChange> {
        changes(keyPaths: keyPaths.map { ObservedElement.name(of: $0) })
    }
}
