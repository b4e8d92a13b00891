public import Dispatch
import FirnQuery

extension Map: ChangeObservable {
    /// The type of the changes that the block receives.
    public typealias ObservedChange = RealmMapChange<Map>
    /// The type whose properties key paths name, if the values are objects or nil.
    public typealias ObservedElement = Value

    /// Returns a factory of the trackers that find the changes.
    public func _tracking(_ keyPaths: [String]?) -> _ChangeTracking<Map> {
        let paths = core?.observed(keyPaths) ?? .own
        return _ChangeTracking { source, there, _ in
            MapTracker(source, in: there, observing: paths)
        }
    }
}

/// Observation of a map of objects with key paths that the compiler checks.
extension Map where Value: OptionalProtocol, Value.Wrapped: KeypathSortable {
    /// Calls a block when the map changes.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe, as in ``ChangeObservable/observe(keyPaths:on:_:)``.
    ///     The program stops if a key path does not name a persisted property.
    ///   - queue: The serial queue that runs the block. If `nil`, the block runs where the realm is
    ///     used.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    public func observe(
        keyPaths: [PartialKeyPath<Value.Wrapped>], on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmMapChange<Map>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { Value.Wrapped.name(of: $0) }, on: queue, block)
    }

    /// Calls a block on an actor when the map changes.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties to observe, as in ``ChangeObservable/observe(keyPaths:on:_:)``.
    ///     The program stops if a key path does not name a persisted property.
    ///   - actor: The actor that runs the block. The block receives the map in a realm of that
    ///     actor.
    ///   - block: A closure that receives each change.
    /// - Returns: A token. The block is called as long as the token is retained.
    public nonisolated(nonsending) func observe<Owner: Actor>(
        keyPaths: [PartialKeyPath<Value.Wrapped>], on actor: Owner,
        _ block: @escaping @Sendable (isolated Owner, RealmMapChange<Map>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { Value.Wrapped.name(of: $0) }, on: actor, block)
    }

    /// Returns an asynchronous sequence of changes, like ``ChangeObservable/changes(keyPaths:)``.
    ///
    /// - Parameter keyPaths: The properties to observe, as in
    ///   ``ChangeObservable/observe(keyPaths:on:_:)``. The program stops if a key path does not
    ///   name a persisted property.
    public func changes(
        keyPaths: [PartialKeyPath<Value.Wrapped>]
    ) -> ObservedChanges<RealmMapChange<Map>> {
        changes(keyPaths: keyPaths.map { Value.Wrapped.name(of: $0) })
    }
}

/// A change to a map, as passed to the blocks of `observe`.
@frozen
public enum RealmMapChange<Collection: RealmKeyedCollection> {
    /// The map at the first call of the block.
    case initial(Collection)
    /// The map has changed since the previous call of the block.
    ///
    /// All keys are in ascending order of their bytes.
    ///
    /// - Parameters:
    ///   - deletions: The keys that were removed.
    ///   - insertions: The keys that were added.
    ///   - modifications: The keys that remain and whose values were set, or are objects of which
    ///     an observed property changed.
    case update(
        Collection, deletions: [Collection.Key], insertions: [Collection.Key],
        modifications: [Collection.Key])
    /// The database became unreadable, or was removed or replaced.
    ///
    /// The block is not called again.
    case error(any Error)
}

extension RealmMapChange: Sendable where Collection: Sendable {}
