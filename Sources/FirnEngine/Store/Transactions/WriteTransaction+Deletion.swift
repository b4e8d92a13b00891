package import FirnValues
import HashTreeCollections

/// Removing objects, with all that follows from it.
extension WriteTransaction {
    /// Removes an object: links to it become nil or leave their collections, and the embedded
    /// objects that it holds go with it.
    ///
    /// - Complexity: O(log objects + links from and to it)
    package func delete(_ row: RowID, in classID: ClassID) throws(StoreError) {
        try delete([row], in: classID)
    }

    /// Removes several objects of a class.
    ///
    /// - Throws: ``StoreError`` with `unknownObject` if one of them does not exist; none is then
    ///   removed.
    package func delete(_ rows: [RowID], in classID: ClassID) throws(StoreError) {
        try checkOpen()
        let schema = try record(classID).schema
        for row in rows where try !exists(row, in: classID) { throw unknownObject(row, schema) }
        try deleteObjects(rows.map { ObjectReference(classID: classID, rowID: $0) })
    }

    /// Removes objects, of which some may be gone already.
    func deleteObjects(_ objects: [ObjectReference]) throws(StoreError) {
        var pending: [ObjectReference] = objects.reversed()
        while let object = pending.popLast() {
            guard try exists(object.rowID, in: object.classID) else { continue }
            try deleteObject(object, &pending)
        }
    }

    /// - Parameter pending: gets the embedded objects that it held.
    private func deleteObject(
        _ object: ObjectReference, _ pending: inout [ObjectReference]
    ) throws(StoreError) {
        let schema = try record(object.classID).schema
        for property in schema.properties where property.mayLink {
            let targets = try value(of: property, of: object.rowID, in: schema).linkTargets
            note(added: [], removed: targets, property, of: object.rowID, in: schema.id)
            if overlay.catalog.isOwning(property) { pending += targets }
        }
        try nullifyLinks(to: object)
        try releaseKey(of: object.rowID, in: schema)
        orphans.remove(object)
        counts.deleted += 1
        if let rows = created[schema.id], rows.holds(object.rowID) {
            rows.remove(object.rowID)
        } else if let place = try place(of: object.rowID, schema) {
            overlay.patch(schema.id, place.group) { $0.deleted.insert(place.index) }
        }
        overlay.classes[schema.id, default: ClassOverlay()].liveRowDelta -= 1
    }

    /// Removes all links to an object that is about to go.
    private func nullifyLinks(to object: ObjectReference) throws(StoreError) {
        for source in overlay.catalog.classes.map(\.schema) {
            for property in source.properties
            where property.type.base == .any || property.type.target == object.classID {
                for row in try sources(of: object, through: property, of: source) {
                    try nullify(object, property, of: row, in: source)
                }
            }
        }
    }

    private func nullify(
        _ target: ObjectReference, _ property: PropertySchema, of row: RowID,
        in source: ClassSchema
    ) throws(StoreError) {
        // The object's own links to itself are gone from the index already.
        guard try exists(row, in: source.id) else { return }
        let old = try value(of: property, of: row, in: source)
        let isInLinks =
            property.type.base == .link && property.type.container != .map
        let new = old.without(target, isInLinks: isInLinks)
        guard old != new else { return }
        let removed = old.linkTargets.filter { $0 == target }
        note(added: [], removed: removed, property, of: row, in: source.id)
        if old.elementCount > CollectionLimits.inlineElementCount {
            return try removeElements(target, old, property, of: row, in: source)
        }
        try store(new, property, of: row, in: source)
    }

    /// Of a large collection only what changes is written.
    private func removeElements(
        _ target: ObjectReference, _ old: Value, _ property: PropertySchema, of row: RowID,
        in source: ClassSchema
    ) throws(StoreError) {
        let entries = old.collectionEntries
        for (index, entry) in entries.enumerated().reversed() {
            let new = entry.value.without(target, isInLinks: false)
            guard new != entry.value else { continue }
            let edit: CollectionEdit
            switch property.type.container {
            case .map: edit = .put(entry.key ?? "", new)
            case .list where property.type.base == .any: edit = .replace(index, new)
            case .set where property.type.base == .any:
                try apply(.discard(entry.value), to: property, of: row, in: source)
                edit = .add(new)
            case .set: edit = .discard(entry.value)
            case .list, .single: edit = .remove(index)
            }
            try apply(edit, to: property, of: row, in: source)
        }
    }
}
