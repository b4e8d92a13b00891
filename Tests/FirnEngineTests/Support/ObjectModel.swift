import FirnEngine
import FirnValues

/// The expected content of a database of several classes, in plain dictionaries: the oracle of the
/// random tests of objects, keys, links and collections.
///
/// It implements the consequences of a change on its own (links that become nil, embedded objects
/// that are deleted with their parents) and shares none of the engine's structures.
struct ObjectModel {
    struct Objects {
        var rows: [RowID: [PropertyID: Value]] = [:]
        var nextRowID: UInt64 = 0
    }

    /// Names and types as in the engine.
    var schema: Schema
    var classes: [ClassID: Objects] = [:]
    /// Embedded objects without a parent.
    var orphans: Set<ObjectReference> = []

    init(_ schema: Schema) {
        self.schema = schema
        adopt(schema)
    }

    /// Adopts the classes after a change of the schema.
    mutating func adopt(_ schema: Schema) {
        self.schema = schema
        for type in schema.classes where classes[type.id] == nil { classes[type.id] = Objects() }
        for id in classes.keys where schema[id] == nil { classes[id] = nil }
    }

    func objects(_ id: ClassID) -> Objects { classes[id] ?? Objects() }

    func exists(_ object: ObjectReference) -> Bool {
        classes[object.classID]?.rows[object.rowID] != nil
    }

    func value(_ property: PropertyID, of row: RowID, in id: ClassID) -> Value {
        classes[id]?.rows[row]?[property] ?? .null
    }

    func row(forKey key: Value, in type: ClassSchema) -> RowID? {
        guard let property = type.key else { return nil }
        return classes[type.id]?.rows.first { $0.value[property] == key }?.key
    }

    // MARK: Changes

    mutating func create(_ values: [Value], at row: RowID, in type: ClassSchema) {
        var object: [PropertyID: Value] = [:]
        for (property, value) in zip(type.properties, values) {
            object[property.id] = property.stored(value)
            if schema.isOwning(property) { orphans.subtract(value.linkTargets) }
        }
        classes[type.id]?.rows[row] = object
        classes[type.id]?.nextRowID = row.rawValue + 1
        if type.isEmbedded { orphans.insert(ObjectReference(classID: type.id, rowID: row)) }
    }

    mutating func set(_ property: PropertySchema, of row: RowID, in id: ClassID, to value: Value) {
        let old = self.value(property.id, of: row, in: id)
        classes[id]?.rows[row]?[property.id] = property.stored(value)
        guard schema.isOwning(property) else { return }
        orphans.subtract(value.linkTargets)
        let kept = Set(value.linkTargets)
        delete(old.linkTargets.filter { !kept.contains($0) })
    }

    /// Deletes objects with all embedded objects below them, and every link to them.
    mutating func delete(_ roots: [ObjectReference]) {
        var doomed: Set<ObjectReference> = []
        var pending = roots
        while let object = pending.popLast() {
            guard let values = classes[object.classID]?.rows[object.rowID],
                doomed.insert(object).inserted, let type = schema[object.classID]
            else { continue }
            for property in type.properties where schema.isOwning(property) {
                pending += values[property.id]?.linkTargets ?? []
            }
        }
        guard !doomed.isEmpty else { return }
        for object in doomed {
            classes[object.classID]?.rows[object.rowID] = nil
            orphans.remove(object)
        }
        for type in schema.classes {
            for property in type.properties where property.mayLink {
                for (row, values) in objects(type.id).rows
                where values[property.id]?.links(to: doomed) == true {
                    classes[type.id]?.rows[row]?[property.id] =
                        values[property.id]?.losing(doomed, property.type)
                }
            }
        }
    }

    /// Every link of a property: the sources of each target, ascending.
    func sources(of property: PropertySchema, in id: ClassID) -> [ObjectReference: [RowID]] {
        var sources: [ObjectReference: [RowID]] = [:]
        for (row, values) in objects(id).rows {
            for target in values[property.id]?.linkTargets ?? [] {
                sources[target, default: []].append(row)
            }
        }
        return sources.mapValues { $0.sorted() }
    }
}

extension PropertySchema {
    /// A value in its stored form: sets in order and without duplicates, no collection nil.
    func stored(_ value: Value) -> Value {
        switch (type.container, value) {
        case (.set, .set(let values)), (.set, .list(let values)): .set(values.canonicalSet)
        case (_, .null): type.emptyCollection
        default: value
        }
    }
}

extension Value {
    func links(to doomed: Set<ObjectReference>) -> Bool {
        switch self {
        case .link(let target): doomed.contains(target)
        case .list(let values), .set(let values): values.contains { $0.links(to: doomed) }
        case .map(let entries): entries.values.contains { $0.links(to: doomed) }
        default: false
        }
    }

    /// The value of a property after objects are deleted.
    func losing(_ doomed: Set<ObjectReference>, _ type: PropertyType) -> Value {
        guard type.base == .link else {
            let value = withNil(for: doomed)
            if type.container == .set, case .set(let values) = value {
                return .set(values.canonicalSet)
            }
            return value
        }
        switch self {
        case .list(let values): return .list(values.filter { !$0.links(to: doomed) })
        case .set(let values): return .set(values.filter { !$0.links(to: doomed) })
        default: return withNil(for: doomed)
        }
    }

    private func withNil(for doomed: Set<ObjectReference>) -> Value {
        switch self {
        case .link(let target): doomed.contains(target) ? .null : self
        case .list(let values): .list(values.map { $0.withNil(for: doomed) })
        case .set(let values): .set(values.map { $0.withNil(for: doomed) })
        case .map(let entries): .map(entries.mapValues { $0.withNil(for: doomed) })
        default: self
        }
    }

    /// The collection after an edit; `nil` for a position out of range.
    func edited(_ edit: CollectionEdit) -> Value? {
        switch (self, edit) {
        case (.list(var values), .append(let value)):
            values.append(value)
            return .list(values)
        case (.list(var values), .insert(let index, let value)):
            guard (0...values.count).contains(index) else { return nil }
            values.insert(value, at: index)
            return .list(values)
        case (.list(var values), .replace(let index, let value)):
            guard values.indices.contains(index) else { return nil }
            values[index] = value
            return .list(values)
        case (.list(var values), .remove(let index)):
            guard values.indices.contains(index) else { return nil }
            values.remove(at: index)
            return .list(values)
        case (.list(var values), .move(let from, let to)):
            guard values.indices.contains(from), values.indices.contains(to) else { return nil }
            let value = values.remove(at: from)
            values.insert(value, at: to)
            return .list(values)
        case (.set(let values), .add(let value)): return .set((values + [value]).canonicalSet)
        case (.set(let values), .discard(let value)):
            return .set(values.filter { $0.order(relativeTo: value) != .equal })
        case (.map(var entries), .put(let key, let value)):
            entries[key] = value
            return .map(entries)
        case (.map(var entries), .drop(let key)):
            entries[key] = nil
            return .map(entries)
        case (.list, .clear): return .list([])
        case (.set, .clear): return .set([])
        case (.map, .clear): return .map([:])
        default: return nil
        }
    }

    var size: Int {
        switch self {
        case .list(let values), .set(let values): values.count
        case .map(let entries): entries.count
        default: 0
        }
    }
}
