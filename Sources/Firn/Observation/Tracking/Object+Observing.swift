public import Dispatch
import FirnQuery

/// Being told how an object changes.
///
///     token = dog.observe { change in
///         if case .change(let dog, let properties) = change { print(dog.name, properties) }
///     }
///
/// When and where blocks are called is said at ``ChangeObservable/observe(keyPaths:on:_:)``; only that
/// they are not called before something happens. Setting a property to the value that it has is a
/// change too.
extension ThreadConfined where Self: ObjectBase {
    /// Calls a block when the object changes.
    ///
    /// - Parameters:
    ///   - keyPaths: which properties are observed: `"age"`, or over links `"owner.name"`. `nil`: those of
    ///     the object itself; of a link that is where it leads to, of a collection what comes and
    ///     goes. None: only the end of the object. The program stops for a property that there is not.
    ///   - queue: the serial queue that runs the block, with the object of a realm of that queue; `nil`:
    ///     where the realm is used.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observing(on: queue, block, tracker(keyPaths))
    }

    /// Calls a block when the object changes.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``. The program stops for what is no persisted
    ///     property.
    ///   - queue: the serial queue that runs the block; `nil`: where the realm is used.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { KeyPathNames.name(of: $0) }, on: queue, block)
    }

    /// Calls a block of an actor when the object changes.
    ///
    /// What is committed after the object was handed over is told.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``.
    ///   - actor: runs the block, with the object of a realm of that actor.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [String]? = nil, on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor, block, tracker(keyPaths)).begun(on: actor)
    }

    /// Calls a block of an actor when the object changes.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``. The program stops for what is no persisted
    ///     property.
    ///   - actor: runs the block, with the object of a realm of that actor.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [PartialKeyPath<Self>], on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { KeyPathNames.name(of: $0) }, on: actor, block)
    }

    /// The changes of the object, one after the other, up to its end.
    ///
    ///     for await change in dog.changes() { ... }
    ///
    /// What happens while the loop is busy comes as one change. The loop runs where the realm is used: on
    /// the main actor or another one.
    ///
    /// - Parameter keyPaths: as in ``observe(keyPaths:on:_:)``.
    public func changes(keyPaths: [String]? = nil) -> ObservedChanges<ObjectChange<Self>> {
        observedChanges(tracker(keyPaths))
    }

    /// The changes of the object, one after the other, up to its end; see ``changes(keyPaths:)``.
    ///
    /// - Parameter keyPaths: as in ``observe(keyPaths:on:_:)``. The program stops for what is no
    ///   persisted property.
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
