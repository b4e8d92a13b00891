import FirnEngine
import FirnQuery

/// Follows an ordered collection.
final class ElementsTracker<Value: ThreadConfined>: Tracker<RealmCollectionChange<Value>> {
    private var value: Value
    private let core: (Value) -> _CollectionCore?
    private let place: (Value, RealmInstance) -> Value?
    private let paths: ObservedPaths
    private var live: (any LiveElements)?

    /// - Parameters:
    ///   - source: the collection, in any realm of the file.
    ///   - core: what it stands for.
    ///   - place: gives the same collection in another realm, if that can be.
    init(
        _ source: Value, in instance: RealmInstance, observing paths: ObservedPaths,
        core: @escaping (Value) -> _CollectionCore?,
        place: @escaping (Value, RealmInstance) -> Value?
    ) {
        self.core = core
        self.place = place
        self.paths = paths
        let isThere = source.realm?.instance === instance
        let placed = isThere ? source : place(source, instance)
        value = placed ?? source
        super.init(instance)
        isOver = placed == nil
    }

    override func start(
        on snapshot: DatabaseSnapshot
    ) throws(StoreError) -> RealmCollectionChange<Value>? {
        guard !value.isInvalidated, let core = core(value) else {
            isOver = true
            return nil
        }
        live = try core.live(paths, on: snapshot)
        return .initial(value)
    }

    override func advance(
        _ step: Step
    ) throws(StoreError) -> RealmCollectionChange<Value>? {
        let changes = try live?.advance(step)
        if step.changes.deletesObjects, value.isInvalidated { isOver = true }
        guard let changes, !changes.isEmpty else { return nil }
        return .update(
            value, deletions: changes.deletions, insertions: changes.insertions,
            modifications: changes.modifications)
    }

    override func failed(_ error: StoreError) -> RealmCollectionChange<Value> {
        .error(Realm.Error(error))
    }

    override func renew() { value = place(value, instance) ?? value }
}

extension VersionChanges {
    /// Whether any object is gone.
    var deletesObjects: Bool { classes.values.contains { !$0.deleted.isEmpty } }
}
