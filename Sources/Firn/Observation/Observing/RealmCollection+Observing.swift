public import Dispatch
import FirnQuery

/// Being told how a collection changes.
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
/// The block is called first with the collection as it is, and then whenever a commit, of whichever
/// thread or process, changed something that is observed; several commits may come as one change. Where
/// the realm is used on the main thread, a queue or an actor, that happens by itself; on another
/// thread in ``Realm/refresh()``, at the beginning of write transactions, and in
/// ``Realm/runNotifications(for:until:)``.
///
/// When the object that has the collection is deleted, the block is told that all elements are, and then
/// nothing more; the collection is invalidated then.
///
/// The program stops for what is unmanaged, frozen or opened for reading only, and after changes in an
/// open write transaction.
extension RealmCollection {
    /// Calls a block when the collection changes.
    ///
    /// - Parameters:
    ///   - keyPaths: which properties of the objects are observed: `"age"`, or over links `"owner.name"`.
    ///     `nil`: all, also those of objects that can be reached over up to three links. None: only
    ///     what comes and goes. The program stops for a property that there is not.
    ///   - queue: the serial queue that runs the block, with the collection of a realm of that queue;
    ///     `nil`: where the realm is used.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observing(on: queue, block, tracker(keyPaths))
    }

    /// Calls a block of an actor when the collection changes.
    ///
    /// What is committed after this has returned is told.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``.
    ///   - actor: runs the block, with the collection of a realm of that actor.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [String]? = nil, on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor, block, tracker(keyPaths)).begun(on: actor)
    }

    /// The changes of the collection, one after the other.
    ///
    ///     for await change in dogs.changes() { ... }
    ///
    /// The first is the collection as it is. What happens while the loop is busy comes as one change. The
    /// sequence ends when the object that has the collection is deleted, or the task is cancelled. The
    /// loop runs where the realm is used: on the main actor or another one.
    ///
    /// - Parameter keyPaths: as in ``observe(keyPaths:on:_:)``.
    public func changes(keyPaths: [String]? = nil) -> ObservedChanges<RealmCollectionChange<Self>> {
        let instance = observableInstance()
        let maker = tracker(keyPaths)
        return ObservedChanges(instance) { maker(self, instance, nil) }
    }

    private func tracker(
        _ keyPaths: [String]?
    ) -> TrackerMaker<Self, RealmCollectionChange<Self>> {
        _ = observableInstance()
        let paths = _core?.observed(keyPaths) ?? .own
        return { source, there, _ in
            ElementsTracker(
                source, in: there, observing: paths, core: { $0._core },
                place: { value, instance in
                    value._core.map { Self._make($0.moved(to: instance)) }
                })
        }
    }
}

/// Being told how a collection of objects changes, by key paths that the compiler checks.
extension RealmCollection where Element: KeypathSortable {
    /// Calls a block when the collection changes.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``. The program stops for what is no persisted
    ///     property.
    ///   - queue: the serial queue that runs the block; `nil`: where the realm is used.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { Element.name(of: $0) }, on: queue, block)
    }

    /// Calls a block of an actor when the collection changes.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``. The program stops for what is no persisted
    ///     property.
    ///   - actor: runs the block, with the collection of a realm of that actor.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [PartialKeyPath<Element>], on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { Element.name(of: $0) }, on: actor, block)
    }

    /// The changes of the collection, one after the other.
    ///
    /// - Parameter keyPaths: as in ``observe(keyPaths:on:_:)``.
    public func changes(
        keyPaths: [PartialKeyPath<Element>]
    ) -> ObservedChanges<RealmCollectionChange<Self>> {
        changes(keyPaths: keyPaths.map { Element.name(of: $0) })
    }
}
