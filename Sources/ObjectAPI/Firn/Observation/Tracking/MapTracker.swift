import FirnEngine
import FirnQuery
import FirnValues

/// A tracker of a map.
final class MapTracker<Key: _MapKey, Element: RealmCollectionValue>: Tracker<
    RealmMapChange<Map<Key, Element>>
>
{
    private var map: Map<Key, Element>
    private let paths: ObservedPaths
    private var live: LiveCollection?
    /// The entries of a map inside a value of type Any, which are compared.
    private var entries: TextMap<FirnValues.Value> = [:]

    init(
        _ source: Map<Key, Element>, in instance: RealmInstance, observing paths: ObservedPaths
    ) {
        map = source.realm?.instance === instance ? source : source.placed(in: instance)
        self.paths = paths
        super.init(instance)
    }

    override func start(
        on snapshot: DatabaseSnapshot
    ) throws(StoreError) -> RealmMapChange<Map<Key, Element>>? {
        guard let core = map.core, try core.findIsValid() else {
            isOver = true
            return nil
        }
        if let property = core as? PropertyCore {
            live = LiveCollection(
                of: property.ownerReference, property.property, on: snapshot, observing: paths)
        } else {
            entries = try currentEntries(core)
        }
        return .initial(map)
    }

    override func advance(
        _ step: ObservedStep
    ) throws(StoreError) -> RealmMapChange<Map<Key, Element>>? {
        let changes = try changes(step)
        if step.changes.deletesObjects, map.isInvalidated { isOver = true }
        guard let changes, !changes.isEmpty else { return nil }
        return .update(
            map, deletions: changes.deletions.map { Key(_mapKey: $0) },
            insertions: changes.insertions.map { Key(_mapKey: $0) },
            modifications: changes.modifications.map { Key(_mapKey: $0) })
    }

    private func changes(_ step: ObservedStep) throws(StoreError) -> MapChangeSet? {
        guard let live else { return try compared() }
        let change = try StoreError.querying(live.advance(step.live))
        if case .entries(let changes)? = change { return changes }
        return nil
    }

    private func compared() throws(StoreError) -> MapChangeSet? {
        let before = entries
        entries = try map.core.map { core throws(StoreError) in try currentEntries(core) } ?? [:]
        let stays = entries.filter { before[$0.key] != nil }
        return MapChangeSet(
            deletions: before.keys.filter { entries[$0] == nil },
            insertions: entries.keys.filter { before[$0] == nil },
            modifications: paths == .membership
                ? [] : stays.filter { before[$0.key] != $0.value }.map(\.key))
    }

    private func currentEntries(
        _ core: EditableCore
    ) throws(StoreError) -> TextMap<FirnValues.Value> {
        let found = try core.findView()?.entries() ?? []
        return TextMap(found.map { ($0.key, $0.value) }) { first, _ in first }
    }

    override func failed(_ error: StoreError) -> RealmMapChange<Map<Key, Element>> {
        .error(Realm.Error(error))
    }

    override func renew() { map = map.placed(in: instance) }
}

extension Map {
    /// Returns the same map in another realm of its file, even if its owner does not exist there.
    func placed(in instance: RealmInstance) -> Map {
        guard let moved = core?.moved(to: instance) as? EditableCore else {
            misuse("an unmanaged map is in no realm")
        }
        return Map(moved)
    }
}
