package import FirnValues
import HashTreeCollections

/// Deleting objects, with all consequences.
extension WriteTransaction {
    /// Deletes an object.
    ///
    /// Links to the object become nil or are removed from their collections. The embedded objects
    /// that it holds are deleted as well.
    ///
    /// - Complexity: O(log objects + links from and to it)
    package func delete(_ row: RowID, in classID: ClassID) throws(StoreError) {
        try delete([row], in: classID)
    }

    /// Deletes several objects of a class.
    ///
    /// One call is faster than several, because an object that links to many of them changes only
    /// once.
    ///
    /// - Parameter more: The number of further objects that the caller will delete; see
    ///   ``canDeleteInParts(_:)``.
    /// - Throws: ``StoreError`` with `unknownObject` if one of them does not exist; none is then
    ///   deleted.
    package func delete(
        _ rows: [RowID], in classID: ClassID, expecting more: Int = 0
    ) throws(StoreError) {
        try checkOpen()
        if rows.count >= WriteTransaction.manyRowsMinimum,
            isDeletedInRuns(try record(classID).schema)
        {
            return try deleteMany(rows, in: classID, expecting: more)
        }
        try beginOperation()
        defer { endOperation() }
        let schema = try record(classID).schema
        for row in rows where try !exists(row, in: classID) { throw unknownObject(row, schema) }
        let held = try deleteObjects(rows.map { ObjectReference(classID: classID, rowID: $0) })
        var seen: Set<RowID> = []
        for row in rows where !held.contains(ObjectReference(classID: classID, rowID: row)) {
            if seen.insert(row).inserted { try recordRemoval(.delete(classID, row)) }
        }
    }

    /// Deletes objects, some of which may be deleted already.
    ///
    /// - Returns: The embedded objects among them that others of them held.
    @discardableResult
    func deleteObjects(_ objects: [ObjectReference]) throws(StoreError) -> Set<ObjectReference> {
        guard !objects.isEmpty else { return [] }
        do throws(StoreError) {
            // This comes before any deletion, because the lists are built from the rows.
            try listAllLinks()
            let (doomed, held) = try releaseLinks(from: objects)
            for (classID, rows) in doomed {
                try nullifyLinks(to: rows.sorted(), in: classID, doomed)
            }
            for (classID, rows) in doomed {
                for row in rows.sorted() { try remove(row, in: classID) }
            }
            return held
        } catch {
            // A disk failure or damaged bytes leave objects half deleted, so that only a rollback
            // of the whole transaction is possible.
            rollback()
            throw error
        }
    }

    /// Removes the links of objects, and of all embedded objects below them, from the link indexes.
    ///
    /// - Returns: All of these objects, and those of them that others of them hold.
    private func releaseLinks(
        from objects: [ObjectReference]
    ) throws(StoreError) -> (doomed: [ClassID: Set<RowID>], held: Set<ObjectReference>) {
        var doomed: [ClassID: Set<RowID>] = [:]
        var held: Set<ObjectReference> = []
        var pending = objects
        while let object = pending.popLast() {
            guard try exists(object.rowID, in: object.classID),
                doomed[object.classID, default: []].insert(object.rowID).inserted
            else { continue }
            let schema = try record(object.classID).schema
            for property in schema.properties where property.mayLink {
                let targets = try value(of: property, of: object.rowID, in: schema).linkTargets
                note(added: [], removed: targets, property, of: object.rowID, in: schema.id)
                if overlay.catalog.isOwning(property) {
                    pending += targets
                    held.formUnion(targets)
                }
            }
        }
        return (doomed, held)
    }

    /// Removes all links to objects that will be deleted, except links from objects that will also
    /// be deleted.
    private func nullifyLinks(
        to targets: [RowID], in classID: ClassID, _ doomed: [ClassID: Set<RowID>]
    ) throws(StoreError) {
        for source in overlay.catalog.classes.map(\.schema) {
            for property in source.properties
            where property.type.base == .any || property.type.target == classID {
                let sources = try sources(of: targets, in: classID, through: property, of: source)
                var lost: [RowID: Set<ObjectReference>] = [:]
                for (index, target) in targets.enumerated() {
                    for row in sources[index] where doomed[source.id]?.contains(row) != true {
                        lost[row, default: []]
                            .insert(ObjectReference(classID: classID, rowID: target))
                    }
                }
                // The changes are made row group by row group.
                for row in lost.keys.sorted() {
                    try nullify(lost[row] ?? [], property, of: row, in: source)
                }
            }
        }
    }

    func nullify(
        _ targets: Set<ObjectReference>, _ property: PropertySchema, of row: RowID,
        in source: ClassSchema
    ) throws(StoreError) {
        let old = try value(of: property, of: row, in: source)
        let isInLinks =
            property.type.base == .link && property.type.container != .map
        var removed = old.linkTargets.filter { targets.contains($0) }
        guard !removed.isEmpty else { return }
        if property.type.container == .set, property.type.base == .any {
            // More links than those to the targets may be removed: two elements that differed only
            // in such a link become one.
            removed =
                linkDifference(from: old, to: old.without(targets, isInLinks: false)).removed
        }
        note(added: [], removed: removed, property, of: row, in: source.id)
        if old.elementCount > CollectionLimits.inlineElementCount {
            return try removeElements(targets, old, property, of: row, in: source)
        }
        try store(
            old.without(targets, isInLinks: isInLinks), property, of: row, in: source)
    }

    /// Removes links from a collection; for a large one, only the changes are written.
    private func removeElements(
        _ targets: Set<ObjectReference>, _ old: Value, _ property: PropertySchema, of row: RowID,
        in source: ClassSchema
    ) throws(StoreError) {
        for (index, entry) in old.collectionEntries.enumerated().reversed() {
            let new = entry.value.without(targets, isInLinks: false)
            guard new != entry.value else { continue }
            switch property.type.container {
            case .map:
                try apply(.put(entry.key ?? "", new), to: property, of: row, in: source)
            case .list where property.type.base == .any:
                try apply(.replace(index, new), to: property, of: row, in: source)
            case .set where property.type.base == .any:
                try apply(.discard(entry.value), to: property, of: row, in: source)
                try apply(.add(new), to: property, of: row, in: source)
            case .set: try apply(.discard(entry.value), to: property, of: row, in: source)
            case .list, .single: try apply(.remove(index), to: property, of: row, in: source)
            }
        }
    }

    private func remove(_ row: RowID, in classID: ClassID) throws(StoreError) {
        let schema = try record(classID).schema
        try releaseKey(of: row, in: schema)
        orphans.remove(ObjectReference(classID: classID, rowID: row))
        counts.deleted += 1
        if let rows = created[classID], rows.holds(row) {
            rows.remove(row)
        } else if let location = try location(of: row, schema) {
            overlay.patch(classID, location.group) { $0.deleted.insert(location.index) }
            overlay.change(classID) { $0.liveRowDelta -= 1 }
        }
    }
}
