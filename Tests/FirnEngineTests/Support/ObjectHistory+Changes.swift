import FirnEngine
import FirnTesting
import FirnValues

/// Compares the engine's changes between two versions with the difference of two models.
extension ObjectHistory {
    func checkChanges(
        from old: (snapshot: Snapshot, model: ObjectModel),
        to new: (snapshot: Snapshot, model: ObjectModel)
    ) throws {
        let changes = try store.changes(from: old.snapshot, to: new.snapshot)
        guard changes.from == old.snapshot.version, changes.to == new.snapshot.version else {
            throw TestFailure("the changes are of other versions")
        }
        guard !changes.schemaChanged else { return }
        guard old.model.schema.classes.isSameExceptIndexes(as: new.model.schema.classes),
            changes.indexesChanged == (old.model.schema != new.model.schema)
        else { throw TestFailure("the changes do not say that the schema is another") }
        for type in new.model.schema.classes {
            let known = changes.classes[type.id] ?? ClassChanges()
            let before = old.model.objects(type.id).rows
            let after = new.model.objects(type.id).rows
            let what = "\(type.name), versions \(changes.from.rawValue) to \(changes.to.rawValue)"
            try expect(known.created, after.keys.filter { before[$0] == nil }, "created: \(what)")
            try expect(known.deleted, before.keys.filter { after[$0] == nil }, "deleted: \(what)")
            var written: [RowID: PropertySet] = [:]
            for object in known.modified {
                guard before[object.row] != nil, after[object.row] != nil,
                    written.updateValue(object.properties, forKey: object.row) == nil
                else { throw TestFailure("modified \(object.row.rawValue): \(what)") }
            }
            for (row, values) in after {
                guard let old = before[row] else { continue }
                for property in type.properties {
                    let (old, new) = (old[property.id] ?? .null, values[property.id] ?? .null)
                    if old != new, written[row]?.contains(property.id) != true {
                        throw TestFailure(
                            "\(property.name) of \(row.rawValue) is not said to be written: \(what)"
                        )
                    }
                    let place = CollectionID(row: row, property: property.id)
                    if let edits = known.edits[place], property.type.container != .set,
                        old.edited(edits) != new
                    {
                        throw TestFailure("the edits of \(property.name) give another: \(what)")
                    }
                }
            }
        }
    }

    private func expect(_ rows: [RowID], _ expected: [RowID], _ what: String) throws {
        guard rows == expected.sorted() else {
            throw TestFailure("\(what): \(rows), not \(expected.sorted())")
        }
    }
}

extension Value {
    /// The value after edits of a list or a map.
    fileprivate func edited(_ edits: [CollectionEdit]) -> Value {
        var values: [Value] = []
        var entries: TextMap<Value> = [:]
        if case .list(let list) = self { values = list }
        if case .map(let map) = self { entries = map }
        for edit in edits {
            switch edit {
            case .append(let value): values.append(value)
            case .insert(let index, let value): values.insert(value, at: index)
            case .replace(let index, let value): values[index] = value
            case .remove(let index): values.remove(at: index)
            case .move(let from, let to): values.insert(values.remove(at: from), at: to)
            case .put(let key, let value): entries[key] = value
            case .drop(let key): entries[key] = nil
            case .clear:
                values = []
                entries = [:]
            case .add, .discard: break
            }
        }
        if case .map = self { return .map(entries) }
        return .list(values)
    }
}
