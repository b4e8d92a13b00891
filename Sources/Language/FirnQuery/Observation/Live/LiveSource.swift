package import FirnEngine
package import FirnValues

/// The objects that a live query starts from.
package enum LiveSource: Hashable, Sendable {
    /// All objects of the class of the query.
    case objects
    /// The objects in a list, set or map of links of one object, in its order.
    case elements(of: ObjectReference, PropertySchema)
    /// The objects of a class that link to an object through one property, once per link.
    case sources(of: ObjectReference, PropertySchema, ClassSchema)
}

extension LiveSource {
    /// Returns the objects in one version; `nil` for all objects of the class.
    ///
    /// The result is empty once the object that has them is deleted.
    func rows(in snapshot: Snapshot) throws(StoreError) -> [RowID]? {
        switch self {
        case .objects: return nil
        case .elements(let object, let property):
            guard let table = snapshot.table(object.classID),
                let elements = try table.collection(of: property, of: object.rowID)
            else { return [] }
            return try elements.value().linkTargets.map(\.rowID)
        case .sources(let object, let property, let source):
            return try snapshot.sources(
                of: [object.rowID], in: object.classID, through: property, of: source
            ).rows
        }
    }

    /// Returns whether the changes may affect the objects.
    func isConcerned(by changes: VersionChanges, _ root: ClassSchema) -> Bool {
        switch self {
        case .objects:
            guard let changed = changes.classes[root.id] else { return false }
            return !changed.created.isEmpty || !changed.deleted.isEmpty
        case .elements(let object, let property):
            guard let changed = changes.classes[object.classID] else { return false }
            return changed.touches(property.id, of: object.rowID)
        case .sources(_, let property, let source):
            guard let changed = changes.classes[source.id] else { return false }
            return !changed.created.isEmpty || !changed.deleted.isEmpty
                || changed.modified.contains { $0.properties.contains(property.id) }
        }
    }

    /// Returns the edits of a list, if the source is a list and no other change occurred.
    func listEdits(in changes: VersionChanges) -> [CollectionEdit]? {
        guard case .elements(let object, let property) = self, property.type.container == .list
        else { return nil }
        return changes.classes[object.classID]?
            .edits[CollectionID(row: object.rowID, property: property.id)]
    }
}

extension ClassChanges {
    /// Returns whether a property of an object was written, or the object was created or deleted.
    func touches(_ property: PropertyID, of row: RowID) -> Bool {
        if deleted.containsAscending(row) || created.containsAscending(row) { return true }
        return modification(of: row)?.contains(property) ?? false
    }

    /// Returns the written properties of an object that is in both versions.
    func modification(of row: RowID) -> PropertySet? {
        let index = modified.partitioningIndex { $0.row >= row }
        guard index < modified.count, modified[index].row == row else { return nil }
        return modified[index].properties
    }
}
