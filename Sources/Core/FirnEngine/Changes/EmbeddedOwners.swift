package import FirnValues

/// The owners of the written embedded objects.
package struct EmbeddedOwners {
    private var owners: [ClassID: [RowID: PropertySet]] = [:]

    /// - Parameter snapshot: the new version.
    package init(of changes: VersionChanges, in snapshot: Snapshot) throws(StoreError) {
        var waiting: [(ClassSchema, [RowID])] = []
        for schema in snapshot.schema.classes where schema.isEmbedded {
            guard let changed = changes.classes[schema.id], !changed.modified.isEmpty else {
                continue
            }
            waiting.append((schema, changed.modified.map(\.row)))
        }
        while let (schema, rows) = waiting.popLast() {
            for source in snapshot.schema.classes {
                for property in source.properties where property.type.target == schema.id {
                    let found = try snapshot.sources(
                        of: rows, in: schema.id, through: property, of: source
                    ).rows
                    let new = add(found, property, of: source)
                    if source.isEmbedded, !new.isEmpty { waiting.append((source, new)) }
                }
            }
        }
    }

    /// - Returns: the new rows, in ascending order.
    private mutating func add(
        _ rows: [RowID], _ property: PropertySchema, of source: ClassSchema
    ) -> [RowID] {
        var new: [RowID] = []
        for row in rows {
            if owners[source.id, default: [:]][row] == nil { new.append(row) }
            owners[source.id, default: [:]][row, default: PropertySet()].insert(property.id)
        }
        return new.sorted()
    }

    /// Returns the modified objects of a class in ascending order, including the owners of modified
    /// objects.
    package func modified(_ changed: ClassChanges, of classID: ClassID) -> [ModifiedObject] {
        guard var found = owners[classID] else { return changed.modified }
        for row in changed.created { found[row] = nil }
        for object in changed.modified {
            found[object.row, default: PropertySet()].formUnion(object.properties)
        }
        return found.map { ModifiedObject(row: $0.key, properties: $0.value) }
            .sorted { $0.row < $1.row }
    }
}
