public import Dispatch
import FirnQuery

/// Being told how a map changes.
///
/// When and where blocks are called is said at ``RealmCollection/observe(keyPaths:on:_:)``.
extension Map {
    /// Calls a block when the map changes.
    ///
    /// - Parameters:
    ///   - keyPaths: which properties of values that are objects are observed. `nil`: all, also those of
    ///     objects that can be reached over up to three links. None: only the keys that come and go.
    ///     The program stops for a property that there is not.
    ///   - queue: the serial queue that runs the block, with the map of a realm of that queue; `nil`:
    ///     where the realm is used.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmMapChange<Map>) -> Void
    ) -> NotificationToken {
        observing(on: queue, block, tracker(keyPaths))
    }

    /// Calls a block of an actor when the map changes.
    ///
    /// What is committed after this has returned is told.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``.
    ///   - actor: runs the block, with the map of a realm of that actor.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [String]? = nil, on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, RealmMapChange<Map>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor, block, tracker(keyPaths)).begun(on: actor)
    }

    /// The changes of the map, one after the other; see ``RealmCollection/changes(keyPaths:)``.
    ///
    /// - Parameter keyPaths: as in ``observe(keyPaths:on:_:)``.
    public func changes(keyPaths: [String]? = nil) -> ObservedChanges<RealmMapChange<Map>> {
        let instance = observableInstance()
        let maker = tracker(keyPaths)
        return ObservedChanges(instance) { maker(self, instance, nil) }
    }

    private func tracker(_ keyPaths: [String]?) -> TrackerMaker<Map, RealmMapChange<Map>> {
        _ = observableInstance()
        let paths = core?.observed(keyPaths) ?? .own
        return { source, there, _ in MapTracker(source, in: there, observing: paths) }
    }
}

/// Being told how a map of objects changes, by key paths that the compiler checks.
extension Map where Value: OptionalProtocol, Value.Wrapped: KeypathSortable {
    /// Calls a block when the map changes.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``. The program stops for what is no persisted
    ///     property.
    ///   - queue: the serial queue that runs the block; `nil`: where the realm is used.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [PartialKeyPath<Value.Wrapped>], on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmMapChange<Map>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { Value.Wrapped.name(of: $0) }, on: queue, block)
    }

    /// Calls a block of an actor when the map changes.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``. The program stops for what is no persisted
    ///     property.
    ///   - actor: runs the block, with the map of a realm of that actor.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [PartialKeyPath<Value.Wrapped>], on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, RealmMapChange<Map>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { Value.Wrapped.name(of: $0) }, on: actor, block)
    }
}
