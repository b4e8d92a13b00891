public import Dispatch
import FirnQuery

/// Observing an object.
///
///     token = dog.observe { change in
///         if case .change(let dog, let properties) = change { print(dog.name, properties) }
///     }
///
/// ``ChangeObservable/observe(keyPaths:on:_:)`` describes when and where blocks are called. Unlike
/// there, the block is not called before the first change. Setting a property to the value that it
/// already has is also a change.
extension ThreadConfined where Self: ObjectBase {
    /// Calls a block when the object changes.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe: `"age"`, or across links `"owner.name"`. If `nil`,
    ///     the properties of the object itself are observed: for a link its destination, and for a
    ///     collection its insertions and deletions. If empty, only the deletion of the object is
    ///     reported. The program stops if a property does not exist.
    ///   - queue: The serial queue that runs the block. The block receives the object in a realm of
    ///     that queue. If `nil`, the block runs where the realm is used.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observing(on: queue, block, tracker(keyPaths))
    }

    /// Calls a block when the object changes.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe, as in ``observe(keyPaths:on:_:)``. The program
    ///     stops if a key path does not name a persisted property.
    ///   - queue: The serial queue that runs the block. If `nil`, the block runs where the realm is
    ///     used.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { KeyPathNames.name(of: $0) }, on: queue, block)
    }

    /// Calls a block on an actor when the object changes.
    ///
    /// Every commit after the object was handed over is reported.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe, as in ``observe(keyPaths:on:_:)``.
    ///   - actor: The actor that runs the block. The block receives the object in a realm of that
    ///     actor.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    public nonisolated(nonsending) func observe<Owner: Actor>(
        keyPaths: [String]? = nil, on actor: Owner,
        _ block: @escaping @Sendable (isolated Owner, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor, block, tracker(keyPaths)).begun(on: actor)
    }

    /// Calls a block on an actor when the object changes.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe, as in ``observe(keyPaths:on:_:)``. The program
    ///     stops if a key path does not name a persisted property.
    ///   - actor: The actor that runs the block. The block receives the object in a realm of that
    ///     actor.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    public nonisolated(nonsending) func observe<Owner: Actor>(
        keyPaths: [PartialKeyPath<Self>], on actor: Owner,
        _ block: @escaping @Sendable (isolated Owner, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { KeyPathNames.name(of: $0) }, on: actor, block)
    }

    /// Returns an asynchronous sequence of the changes to the object until it is deleted.
    ///
    ///     for await change in dog.changes() { ... }
    ///
    /// Commits that arrive while the loop is busy are combined into one change. The loop must run
    /// where the realm is used: on the main actor or on another actor.
    ///
    /// - Parameter keyPaths: The properties to observe, as in ``observe(keyPaths:on:_:)``.
    public func changes(keyPaths: [String]? = nil) -> ObservedChanges<ObjectChange<Self>> {
        observedChanges(tracker(keyPaths))
    }

    /// Returns an asynchronous sequence of the changes to the object, like ``changes(keyPaths:)``.
    ///
    /// - Parameter keyPaths: The properties to observe, as in ``observe(keyPaths:on:_:)``. The
    ///   program stops if a key path does not name a persisted property.
    public func changes(
        keyPaths: [PartialKeyPath<Self>]
    ) -> ObservedChanges<ObjectChange<Self>> {
        changes(keyPaths: keyPaths.map { KeyPathNames.name(of: $0) })
    }

    private func tracker(_ keyPaths: [String]?) -> TrackerMaker<Self, ObjectChange<Self>> {
        let instance = observableInstance()
        let paths = ObservedPaths(
            keyPaths, of: access?.binding.schema, in: instance.snapshot.schema, otherwise: .own)
        return { source, there, position in
            ObjectTracker(source, in: there, at: position, observing: paths) { written in
                guard let object = written.object as? Self else { return nil }
                return .change(
                    object, written.names.map { object.change(of: $0, since: written.old) })
            }
        }
    }
}
