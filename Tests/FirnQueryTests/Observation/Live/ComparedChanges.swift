import FirnEngine
import FirnValues

/// The difference of two versions, found by comparing every value of every object.
enum ComparedChanges {
    static func between(
        _ old: GraphData, _ new: GraphData, from: LSN, to: LSN
    ) -> VersionChanges {
        var changes = VersionChanges(from: from, to: to)
        changes.schemaChanged = old.schema != new.schema
        for schema in new.schema.classes {
            let before = Set(old.rows(of: schema))
            let after = Set(new.rows(of: schema))
            var changed = ClassChanges()
            changed.created = after.subtracting(before).sorted()
            changed.deleted = before.subtracting(after).sorted()
            for row in before.intersection(after).sorted() {
                let written = schema.properties.filter { property in
                    !isSame(
                        old.value(property, of: row, in: schema),
                        new.value(property, of: row, in: schema))
                }
                guard !written.isEmpty else { continue }
                changed.modified.append(
                    ModifiedObject(row: row, properties: PropertySet(written.map(\.id))))
            }
            if !changed.isEmpty { changes.classes[schema.id] = changed }
        }
        return changes
    }

    /// Every NaN is the same.
    private static func isSame(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.double(let left), .double(let right)) where left.isNaN && right.isNaN: true
        default: left == right
        }
    }
}
