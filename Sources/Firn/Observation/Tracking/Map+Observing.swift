public import Dispatch
import FirnQuery

extension Map: ChangeObservable {
    /// What is told.
    public typealias ObservedChange = RealmMapChange<Map>
    /// Whose properties key paths name, if it is an object or nil.
    public typealias ObservedElement = Value

    /// How changes are found.
    public func _tracking(_ keyPaths: [String]?) -> _ChangeTracking<Map> {
        let paths = core?.observed(keyPaths) ?? .own
        return _ChangeTracking { source, there, _ in
            MapTracker(source, in: there, observing: paths)
        }
    }
}

/// Being told how a map of objects changes, by key paths that the compiler checks.
extension Map where Value: OptionalProtocol, Value.Wrapped: KeypathSortable {
    /// Calls a block when the map changes.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``ChangeObservable/observe(keyPaths:on:_:)``. The program stops for what is no
    ///     persisted property.
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
    ///   - keyPaths: as in ``ChangeObservable/observe(keyPaths:on:_:)``. The program stops for what is no
    ///     persisted property.
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

    /// The changes of the map, one after the other; see ``ChangeObservable/changes(keyPaths:)``.
    ///
    /// - Parameter keyPaths: as in ``ChangeObservable/observe(keyPaths:on:_:)``. The program stops for
    ///   what is no persisted property.
    public func changes(
        keyPaths: [PartialKeyPath<Value.Wrapped>]
    ) -> ObservedChanges<RealmMapChange<Map>> {
        changes(keyPaths: keyPaths.map { Value.Wrapped.name(of: $0) })
    }
}
