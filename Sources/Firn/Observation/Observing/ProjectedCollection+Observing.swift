public import Dispatch
import FirnQuery

/// Being told how the values of a projected collection change.
///
/// When and where blocks are called is said at ``RealmCollection/observe(keyPaths:on:_:)``. The positions
/// are those of the objects.
extension ProjectedCollection {
    /// Calls a block when the values change.
    ///
    /// - Parameters:
    ///   - keyPaths: which properties of the objects are observed; `nil`: the one that is shown. None:
    ///     only what comes and goes. The program stops for a property that there is not.
    ///   - queue: the serial queue that runs the block, with the values of a realm of that queue; `nil`:
    ///     where the realm is used.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observing(on: queue, block, tracker(keyPaths))
    }

    /// Calls a block of an actor when the values change.
    ///
    /// - Parameters:
    ///   - keyPaths: as in ``observe(keyPaths:on:_:)``.
    ///   - actor: runs the block, with the values of a realm of that actor.
    ///   - block: gets each change.
    /// - Returns: a token; the block is called as long as somebody holds it.
    public func observe<Owner: Actor>(
        keyPaths: [String]? = nil, on actor: Owner,
        _isolation isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Owner, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observing(on: actor, block, tracker(keyPaths)).begun(on: actor)
    }

    /// The changes of the values, one after the other; see ``RealmCollection/changes(keyPaths:)``.
    public func changes(keyPaths: [String]? = nil) -> ObservedChanges<RealmCollectionChange<Self>> {
        let instance = observableInstance()
        let maker = tracker(keyPaths)
        return ObservedChanges(instance) { maker(self, instance, nil) }
    }

    private func tracker(
        _ keyPaths: [String]?
    ) -> TrackerMaker<Self, RealmCollectionChange<Self>> {
        _ = observableInstance()
        let paths = elements.core?.observed(keyPaths ?? elements.origins) ?? .own
        return { source, there, _ in
            ElementsTracker(
                source, in: there, observing: paths, core: { $0.elements.core },
                place: { value, instance in value._moved(to: Realm(instance)) })
        }
    }
}
