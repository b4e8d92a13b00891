package import FirnEngine
package import FirnValues

/// A list or set of values, or a map, of one object, maintained from the changes of commits.
///
/// It holds no elements. Edited elements are looked up in both versions. The versions are compared
/// only if changes other than edits occurred. Lists and sets of objects are maintained by
/// ``LiveQuery`` with ``LiveSource/elements(of:_:)``.
///
/// It must be used by one thread at a time.
package final class LiveCollection {
    /// A change to the collection.
    package enum Change: Hashable, Sendable {
        /// A change to a list or set.
        case elements(ChangeSet)
        /// A change to a map.
        case entries(MapChangeSet)

        package var isEmpty: Bool {
            switch self {
            case .elements(let changes): changes.isEmpty
            case .entries(let changes): changes.isEmpty
            }
        }
    }

    let object: ObjectReference
    let property: PropertySchema
    /// The properties that make the objects of a map of links modified.
    let observed: WatchedGraph?

    /// Creates a live collection.
    ///
    /// - Parameters:
    ///   - object: the object that has the collection.
    ///   - property: a list, set or map.
    ///   - snapshot: a version with the current schema.
    ///   - observing: for a map of links, the changes that count as a modification of a value, in
    ///     addition to setting another value. ``ObservedPaths/membership`` excludes even the
    ///     latter.
    package init(
        of object: ObjectReference, _ property: PropertySchema, on snapshot: DatabaseSnapshot,
        observing: ObservedPaths = .reachable
    ) {
        self.object = object
        self.property = property
        let target = property.type.target.flatMap { snapshot.schema[$0] }
        observed = target.flatMap { WatchedGraph(observing, of: $0, in: snapshot.schema) }
        ignoresValues = observing == .membership
    }

    /// Whether only the keys of maps are observed.
    private let ignoresValues: Bool

    /// Returns the change to the collection in a step.
    ///
    /// - Returns: `nil` if no observed change occurred. If the object was deleted, all elements are
    ///   deleted.
    /// - Throws: ``QueryFailure`` if the store cannot be read.
    /// - Complexity: O(k log n) for k edits; O(n) if the collection was set as a whole, or lost
    ///   elements because their objects were deleted
    package func advance(_ step: LiveStep) throws(QueryFailure) -> Change? {
        try QueryFailure.converting { () throws(StoreError) in
            let changes = step.changes
            let isTouched = isTouched(changes)
            let isConcerned = observed.map(step.concerns) ?? false
            guard isTouched || isConcerned || changes.schemaChanged else { return nil }
            let versions = CollectionStep(
                old: try view(in: step.old), new: try view(in: step.new),
                edits: isTouched ? edits(changes) : [])
            var change: Change
            switch property.type.container {
            case .single: return nil
            case .list: change = .elements(try versions.listChanges())
            case .set: change = .elements(try versions.setChanges())
            case .map:
                var entries = try versions.mapChanges()
                if ignoresValues {
                    entries = MapChangeSet(
                        deletions: entries.deletions, insertions: entries.insertions)
                }
                change = .entries(try modifying(entries, versions.new, step))
            }
            return change.isEmpty ? nil : change
        }
    }

    private func view(in snapshot: DatabaseSnapshot) throws(StoreError) -> CollectionView {
        let table = snapshot.snapshot.table(object.classID)
        return try table?.collection(of: property, of: object.rowID)
            ?? CollectionView(property.type.emptyCollection)
    }

    private func isTouched(_ changes: VersionChanges) -> Bool {
        changes.classes[object.classID]?.touches(property.id, of: object.rowID) ?? false
    }

    /// Returns the edits, or `nil` if other changes occurred.
    private func edits(_ changes: VersionChanges) -> [CollectionEdit]? {
        changes.classes[object.classID]?
            .edits[CollectionID(row: object.rowID, property: property.id)]
    }

    /// Adds the keys of objects with a changed observed property.
    private func modifying(
        _ entries: MapChangeSet, _ map: CollectionView, _ step: LiveStep
    ) throws(StoreError) -> MapChangeSet {
        guard let observed else { return entries }
        let affected = try step.affected(observed)
        guard !affected.isEmpty else { return entries }
        let inserted = TextSet(entries.insertions)
        var modified = TextSet(entries.modifications)
        for (key, value) in try map.entries() where !inserted.contains(key) {
            if case .link(let target) = value, affected[target.rowID] != nil {
                modified.insert(key)
            }
        }
        return MapChangeSet(
            deletions: entries.deletions, insertions: entries.insertions,
            modifications: Array(modified))
    }
}
