public import Dispatch

/// A source of changes that can be observed: a collection, a map, sections, or one section.
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
/// The first call passes the current elements to the block. Further calls follow whenever a commit,
/// of any thread or process, changes something that is observed. Several commits may arrive as one
/// change.
///
/// Changes are delivered automatically if the realm is used on the main thread, a queue or an
/// actor, or on a thread that runs its `RunLoop` in the default mode. On any other thread they are
/// delivered in ``Realm/refresh()``, at the start of write transactions, and in
/// ``Realm/runNotifications(for:until:)``.
///
/// When the object that owns the elements is deleted, the block receives one last change that lists
/// all of them as deletions. The observed collection is then invalidated.
///
/// The program stops if the source is unmanaged, frozen or opened for reading only, or in a write
/// transaction. If the database becomes unreadable, the program also stops if the type of the
/// change, like that of sections, has no case for an error.
///
/// Only types of this module conform.
public protocol ChangeObservable: RealmSubscribable {
    /// The type of the changes that the block receives.
    associatedtype ObservedChange
    /// The type whose properties compiler-checked key paths name, or `Never` if there are none.
    associatedtype ObservedElement

    /// Returns a factory of the trackers that find the changes.
    func _tracking(_ keyPaths: [String]?) -> _ChangeTracking<Self>
}

/// A factory of trackers that find the changes to a source in any realm of its file.
public struct _ChangeTracking<Source: ChangeObservable> {
    let maker: TrackerMaker<Source, Source.ObservedChange>

    init(_ maker: @escaping TrackerMaker<Source, Source.ObservedChange>) { self.maker = maker }
}

extension ChangeObservable {
    /// Calls a block when the elements change.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties of the objects to observe: `"age"`, or across links
    ///     `"owner.name"`. If `nil`, all properties are observed, including those of objects that
    ///     up to three links reach; for a ``ProjectedCollection``, only the projected property is.
    ///     If empty, only insertions and deletions are reported. The program stops if a property
    ///     does not exist.
    ///   - queue: The serial queue that runs the block. The block receives the elements in a realm
    ///     of that queue. If `nil`, the block runs where the realm is used.
    ///   - block: A closure that receives each change. The index paths in a change of a
    ///     ``ResultsSection`` refer to all sections.
    /// - Returns: A token. The block is called as long as the token is retained.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (ObservedChange) -> Void
    ) -> NotificationToken {
        observing(on: queue, block, tracker(keyPaths))
    }

    /// Calls a block on an actor when the elements change.
    ///
    /// Every commit after this method returns is reported. If the task was cancelled, nothing is
    /// observed and the returned token is already invalid.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe, as in ``observe(keyPaths:on:_:)``.
    ///   - actor: The actor that runs the block. The block receives the elements in a realm of that
    ///     actor.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    public nonisolated(nonsending) func observe<Owner: Actor>(
        keyPaths: [String]? = nil, on actor: Owner,
        _ block: @escaping @Sendable (isolated Owner, ObservedChange) -> Void
    ) async -> NotificationToken {
        await observing(on: actor, block, tracker(keyPaths)).begun(on: actor)
    }

    /// Returns an asynchronous sequence of the changes.
    ///
    ///     for await change in dogs.changes() { ... }
    ///
    /// The first change holds the current elements. Commits that arrive while the loop is busy are
    /// combined into one change. The sequence ends when the object that owns the elements is
    /// deleted, or when the task is cancelled. The loop must run where the realm is used: on the
    /// main actor or on another actor.
    ///
    /// - Parameter keyPaths: The properties to observe, as in ``observe(keyPaths:on:_:)``.
    public func changes(keyPaths: [String]? = nil) -> ObservedChanges<ObservedChange> {
        observedChanges(tracker(keyPaths))
    }

    private func tracker(_ keyPaths: [String]?) -> TrackerMaker<Self, ObservedChange> {
        _ = observableInstance()
        return _tracking(keyPaths).maker
    }
}

/// Observation with key paths that the compiler checks.
extension ChangeObservable where ObservedElement: KeypathSortable {
    /// Calls a block when the elements change.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe, as in ``observe(keyPaths:on:_:)``. The program
    ///     stops if a key path does not name a persisted property.
    ///   - queue: The serial queue that runs the block. If `nil`, the block runs where the realm is
    ///     used.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    public func observe(
        keyPaths: [PartialKeyPath<ObservedElement>], on queue: DispatchQueue? = nil,
        _ block: @escaping (ObservedChange) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { ObservedElement.name(of: $0) }, on: queue, block)
    }

    /// Calls a block on an actor when the elements change.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe, as in ``observe(keyPaths:on:_:)``. The program
    ///     stops if a key path does not name a persisted property.
    ///   - actor: The actor that runs the block. The block receives the elements in a realm of that
    ///     actor.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    public nonisolated(nonsending) func observe<Owner: Actor>(
        keyPaths: [PartialKeyPath<ObservedElement>], on actor: Owner,
        _ block: @escaping @Sendable (isolated Owner, ObservedChange) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { ObservedElement.name(of: $0) }, on: actor, block)
    }

    /// Returns an asynchronous sequence of the changes, like ``changes(keyPaths:)``.
    ///
    /// - Parameter keyPaths: The properties to observe, as in ``observe(keyPaths:on:_:)``. The
    ///   program stops if a key path does not name a persisted property.
    public func changes(
        keyPaths: [PartialKeyPath<ObservedElement>]
    ) -> ObservedChanges<ObservedChange> {
        changes(keyPaths: keyPaths.map { ObservedElement.name(of: $0) })
    }
}
