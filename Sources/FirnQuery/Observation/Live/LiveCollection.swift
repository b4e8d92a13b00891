package import FirnEngine
package import FirnValues

/// A list or set of values, or a map, of one object, followed from what commits changed.
///
/// It keeps nothing: what was edited is looked up in both versions, and only where more than edits
/// happened the two are compared. Lists and sets of objects are ``LiveQuery`` of
/// ``LiveSource/elements(of:_:)``.
///
/// Belongs to one thread at a time.
package final class LiveCollection {
    /// How the collection changed.
    package enum Change: Hashable, Sendable {
        /// Of a list or set.
        case elements(ChangeSet)
        /// Of a map.
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
    /// What makes the objects of a map of links modified.
    let observed: WatchedGraph?

    /// - Parameters:
    ///   - object: that has the collection.
    ///   - property: a list, set or map.
    ///   - snapshot: a version of the schema that holds.
    ///   - observing: of a map of links, what counts as a modification of a value beside another
    ///     value; ``ObservedPaths/membership`` leaves out even that.
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

    /// Whether only keys of maps count.
    private let ignoresValues: Bool

    /// What a step did to the collection.
    ///
    /// - Returns: `nil` if nothing that is observed happened. When the object is gone, so are all
    ///   elements.
    /// - Throws: ``QueryFailure`` if the store cannot be read.
    /// - Complexity: O(k log n) for k edits; O(n) where the collection was set as a whole, or lost
    ///   elements with their objects
    package func advance(_ step: LiveStep) throws(QueryFailure) -> Change? {
        try QueryFailure.storing { () throws(StoreError) in
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

    /// `nil` if more than edits happened.
    private func edits(_ changes: VersionChanges) -> [CollectionEdit]? {
        changes.classes[object.classID]?
            .edits[CollectionPlace(row: object.rowID, property: property.id)]
    }

    /// Adds the keys of objects of which something changed that is observed.
    private func modifying(
        _ entries: MapChangeSet, _ map: CollectionView, _ step: LiveStep
    ) throws(StoreError) -> MapChangeSet {
        guard let observed else { return entries }
        let affected = try step.affected(observed)
        guard !affected.isEmpty else { return entries }
        let inserted = Set(entries.insertions)
        var modified = Set(entries.modifications)
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
