import FirnCodec
package import FirnValues
import HashTreeCollections

/// Changing collections.
extension WriteTransaction {
    /// Changes a list, set or map of an object.
    ///
    /// - Throws: ``StoreError`` with `invalidValue` for a position that the list does not have or a
    ///   key that a map cannot have, or `typeMismatch` for a change that does not apply to the
    ///   collection.
    /// - Complexity: O(log elements) for large collections, O(elements) for small ones
    package func edit(
        _ propertyID: PropertyID, of row: RowID, in classID: ClassID, _ edit: CollectionEdit
    ) throws(StoreError) {
        try beginOperation()
        defer { endOperation() }
        let schema = try record(classID).schema
        guard let property = schema[propertyID] else { throw unknownProperty(schema) }
        try check(edit, property, schema)
        if property.mayLink {
            // The check precedes any change of the link lists.
            try checkPositions(of: edit, property, of: row, in: schema)
            let removed = try relink(for: edit, property, of: row, in: schema)
            try apply(edit, to: property, of: row, in: schema)
            try deleteObjects(removed)
        } else {
            try apply(edit, to: property, of: row, in: schema)
        }
        try record(.edit(classID, row, propertyID, edit))
    }

    private func checkPositions(
        of edit: CollectionEdit, _ property: PropertySchema, of row: RowID, in schema: ClassSchema
    ) throws(StoreError) {
        let positions: [Int]
        var isBehindAllowed = false
        switch edit {
        case .insert(let index, _):
            positions = [index]
            isBehindAllowed = true
        case .replace(let index, _), .remove(let index): positions = [index]
        case .move(let source, let target): positions = [source, target]
        default: return
        }
        let count = try collection(property, of: row, in: schema).count
        for position in positions
        where position < 0 || position > (isBehindAllowed ? count : count - 1) {
            throw StoreError(
                .invalidValue, path: store.path,
                detail: "there is no position \(position) in \(property.name) of \(schema.name), "
                    + "which has \(count) elements")
        }
    }

    /// Checks that the change applies to the collection, and that its value is valid for the
    /// property.
    private func check(
        _ edit: CollectionEdit, _ property: PropertySchema, _ schema: ClassSchema
    ) throws(StoreError) {
        switch (edit, property.type.container) {
        case (.append(let value), .list), (.insert(_, let value), .list),
            (.replace(_, let value), .list), (.add(let value), .set):
            try checkElement(value, property, schema)
        case (.put(let key, let value), .map):
            try checkKey(key, property, schema)
            try checkElement(value, property, schema)
        case (.remove, .list), (.move, .list), (.discard, .set), (.drop, .map), (.clear, .list),
            (.clear, .set), (.clear, .map):
            break
        default:
            throw StoreError(
                .typeMismatch, path: store.path,
                detail: "\(edit.word) cannot change \(property.name) of \(schema.name), which is "
                    + self.schema.typeName(property.type))
        }
    }

    /// Updates the links for a change, given the old value that it removes and the new one that it
    /// adds.
    private func relink(
        for edit: CollectionEdit, _ property: PropertySchema, of row: RowID, in schema: ClassSchema
    ) throws(StoreError) -> [ObjectReference] {
        var old = Value.null
        var new = Value.null
        switch edit {
        case .append(let value), .insert(_, let value): new = value
        case .add(let value):
            guard try !collection(property, of: row, in: schema).holds(value) else { return [] }
            new = value
        case .discard(let value):
            guard try collection(property, of: row, in: schema).holds(value) else { return [] }
            old = value
        case .replace(let index, let value):
            old = try collection(property, of: row, in: schema).element(at: index) ?? .null
            new = value
        case .remove(let index):
            old = try collection(property, of: row, in: schema).element(at: index) ?? .null
        case .put(let key, let value):
            old = try collection(property, of: row, in: schema).element(forKey: key) ?? .null
            new = value
        case .drop(let key):
            old = try collection(property, of: row, in: schema).element(forKey: key) ?? .null
        case .clear: old = try value(of: property, of: row, in: schema)
        case .move: return []
        }
        return try relink(from: old, to: new, property, of: row, in: schema)
    }

    /// Applies a checked change.
    func apply(
        _ edit: CollectionEdit, to property: PropertySchema, of row: RowID, in schema: ClassSchema
    ) throws(StoreError) {
        if let rows = created[schema.id], rows.holds(row) {
            guard let index = schema.index(of: property.id),
                let value = rows.value(index, of: row)
            else { throw unknownObject(row, schema) }
            if value.elementCount <= CollectionLimits.inlineElementCount {
                return try rows.modify(index, of: row) { value throws(StoreError) in
                    try value.apply(edit, path: store.path)
                }
            }
            try seal(schema.id)
        }
        guard let location = try location(of: row, schema) else { throw unknownObject(row, schema) }
        if overlay.classes[schema.id]?.patches[location.group]?.edited[property.id]?[location.index]
            != nil
        {
            // The collection is changed in place, because a second reference would copy its path.
            return try overlay.patch(schema.id, location.group) { patch throws(StoreError) in
                _ = try patch.edited[property.id]?.update(location.index) {
                    collection throws(StoreError) in _ = try collection.apply(edit)
                }
            }
        }
        switch try collection(property, of: row, in: schema) {
        case .small(var value):
            try value.apply(edit, path: store.path)
            overlay.patch(schema.id, location.group) { patch in
                patch.values[property.id, default: RowMap()][location.index] = value
            }
        case .large(var edited):
            guard try edited.apply(edit) else { return }
            overlay.patch(schema.id, location.group) { patch in
                patch.values[property.id]?[location.index] = nil
                patch.edited[property.id, default: RowMap()][location.index] = edited
            }
        }
    }

    /// Returns a collection of a sealed row in the form in which it can be changed.
    private func collection(
        _ property: PropertySchema, of row: RowID, in schema: ClassSchema
    ) throws(StoreError) -> ChangeableCollection {
        if let rows = created[schema.id], rows.holds(row) {
            guard let index = schema.index(of: property.id),
                let value = rows.value(index, of: row)
            else { throw unknownObject(row, schema) }
            return .small(value)
        }
        guard let (group, index) = try sealedTable(schema).locate(row) else {
            throw unknownObject(row, schema)
        }
        let changed = group.patch?.values[property.id]?[UInt32(index)]
        if changed == nil {
            if let edited = group.patch?.edited[property.id]?[UInt32(index)] {
                return .large(edited)
            }
            switch try group.baseCollection(property, at: index) {
            case .large(let large): return .large(EditedCollection(large))
            case .inline(let value): return changeable(value, property)
            }
        }
        return changeable(changed ?? property.type.emptyCollection, property)
    }

    private func changeable(_ value: Value, _ property: PropertySchema) -> ChangeableCollection {
        guard value.elementCount > CollectionLimits.inlineElementCount else { return .small(value) }
        return .large(
            EditedCollection(
                value.collectionEntries, container: property.type.container, path: store.path))
    }
}

/// A collection that is about to change: a small one as a whole, a large one as a piece table.
private enum ChangeableCollection {
    case small(Value)
    case large(EditedCollection)

    var count: Int {
        switch self {
        case .small(let value): value.elementCount
        case .large(let edited): edited.count
        }
    }

    func element(at index: Int) throws(StoreError) -> Value? {
        switch self {
        case .small(.list(let values)):
            return values.indices.contains(index) ? values[index] : nil
        case .small: return nil
        case .large(let edited):
            guard index >= 0, index < edited.count else { return nil }
            return try edited.entry(at: index).value
        }
    }

    func element(forKey key: String) throws(StoreError) -> Value? {
        switch self {
        case .small(.map(let entries)): return entries[key]
        case .small: return nil
        case .large(let edited):
            let position = try edited.position(ofKey: key)
            return position.isFound ? try edited.entry(at: position.index).value : nil
        }
    }

    func holds(_ value: Value) throws(StoreError) -> Bool {
        switch self {
        case .small(.set(let values)):
            return values.contains { $0.order(relativeTo: value) == .equal }
        case .small: return false
        case .large(let edited): return try edited.position(of: value).isFound
        }
    }
}

extension Value {
    /// Changes a small collection.
    package mutating func apply(_ edit: CollectionEdit, path: String) throws(StoreError) {
        switch self {
        case .list(var values):
            self = .null
            defer { self = .list(values) }
            try values.apply(edit, path: path)
        case .set(var values):
            self = .null
            defer { self = .set(values) }
            try values.applyToSet(edit)
        case .map(var entries):
            self = .null
            switch edit {
            case .put(let key, let value): entries[key] = value
            case .drop(let key): entries[key] = nil
            case .clear: entries = [:]
            default: break
            }
            self = .map(entries)
        default: break
        }
    }
}

extension [Value] {
    fileprivate mutating func apply(_ edit: CollectionEdit, path: String) throws(StoreError) {
        switch edit {
        case .append(let value): append(value)
        case .insert(let index, let value):
            try check(index, upTo: count, path)
            insert(value, at: index)
        case .replace(let index, let value):
            try check(index, upTo: count - 1, path)
            self[index] = value
        case .remove(let index):
            try check(index, upTo: count - 1, path)
            remove(at: index)
        case .move(let source, let target):
            try check(source, upTo: count - 1, path)
            try check(target, upTo: count - 1, path)
            insert(remove(at: source), at: target)
        case .clear: removeAll()
        case .add, .discard, .put, .drop: break
        }
    }

    /// Changes the elements of a set, which ascend.
    fileprivate mutating func applyToSet(_ edit: CollectionEdit) throws(StoreError) {
        switch edit {
        case .add(let value):
            let position = try position(of: value)
            if !position.isFound { insert(value, at: position.index) }
        case .discard(let value):
            let position = try position(of: value)
            if position.isFound { remove(at: position.index) }
        case .clear: removeAll()
        case .append, .insert, .replace, .remove, .move, .put, .drop: break
        }
    }

    private func position(of value: Value) throws(StoreError) -> CollectionPosition {
        try CollectionPosition.search(count: count) { index in
            self[index].order(relativeTo: value)
        }
    }

    private func check(_ index: Int, upTo last: Int, _ path: String) throws(StoreError) {
        guard index >= 0, index <= last else {
            throw StoreError(
                .invalidValue, path: path,
                detail: "position \(index) in a list of \(count) elements")
        }
    }
}

extension CollectionEdit {
    /// The name of the change in error messages and operation lines.
    package var word: String {
        switch self {
        case .append: "append"
        case .insert: "insert"
        case .replace: "replace"
        case .remove: "remove"
        case .move: "move"
        case .add: "add"
        case .discard: "discard"
        case .put: "put"
        case .drop: "drop"
        case .clear: "clear"
        }
    }
}
