import FirnCodec
import FirnValues

/// The constraints on a catalog beyond its encoding, which later code relies on.
///
/// Only a crafted catalog violates them.
extension Catalog {
    func checkConsistency() throws(CodecError) {
        // A dictionary keeps the time for many crafted classes proportional to their bytes.
        var schemas: [ClassID: ClassSchema] = [:]
        for record in classes { schemas[record.schema.id] = record.schema }
        var embedding: [ClassID: [ClassID]] = [:]
        for record in classes {
            let schema = record.schema
            for property in schema.properties {
                try check(property, schemas)
                try check(record, property)
                guard schema.isEmbedded, let target = property.type.target,
                    schemas[target]?.isEmbedded == true
                else { continue }
                embedding[schema.id, default: []].append(target)
            }
            if let key = schema.keyProperty, schema.isEmbedded || !key.canBeKey {
                throw Catalog.contradiction("a key that cannot be one")
            }
        }
        try checkInverses(schemas)
        guard embedding.isAcyclic else {
            throw Catalog.contradiction("embedded objects that contain themselves")
        }
    }

    private func check(
        _ property: PropertySchema, _ schemas: [ClassID: ClassSchema]
    ) throws(CodecError) {
        let type = property.type
        guard type.integerWidth == .bits64 || type.base == .int else {
            throw Catalog.contradiction("an integer width of \(type.base.name)")
        }
        if type.base == .any, !type.isOptional { throw Catalog.contradiction("an Any never nil") }
        guard type.base == .link else { return }
        guard let target = type.target.flatMap({ schemas[$0] }) else {
            throw Catalog.contradiction("a link to no class")
        }
        guard type.isOptional == (type.container == .single || type.container == .map),
            !(target.isEmbedded && type.container == .set)
        else { throw Catalog.contradiction("an impossible link") }
    }

    private func check(_ record: ClassRecord, _ property: PropertySchema) throws(CodecError) {
        let type = property.type
        guard property.mayLink || record.linkIndexes[property.id] == nil,
            type.container != .single || record.collectionTrees[property.id] == nil
        else { throw Catalog.contradiction("a tree that its property cannot have") }
        guard let defaultValue = record.defaultValues[property.id] else { return }
        let isInRange =
            if case .int(let number) = defaultValue {
                type.integerWidth.range.contains(number)
            } else {
                true
            }
        guard type.container == .single, type.base != .link, defaultValue.linkTargets.isEmpty,
            type.base == .any || defaultValue.tag == type.base, isInRange
        else { throw Catalog.contradiction("a default value of another type") }
    }

    private func checkInverses(_ schemas: [ClassID: ClassSchema]) throws(CodecError) {
        for record in classes {
            for inverse in record.schema.inverses {
                guard
                    schemas[inverse.sourceClass]?[inverse.sourceProperty]?.type.target
                        == record.schema.id
                else { throw Catalog.contradiction("an inverse of no link") }
            }
        }
    }

    private static func contradiction(_ what: String) -> CodecError {
        CodecError(.corrupt, "a class has \(what)")
    }
}

extension PropertySchema {
    /// Whether the property has one of the types of keys; nil is a key like any other.
    var canBeKey: Bool {
        type.container == .single && [.int, .string, .uuid, .objectID].contains(type.base)
    }
}

extension [ClassID: [ClassID]] {
    /// Whether the links between the classes contain no cycle.
    var isAcyclic: Bool {
        // False while the class is on the current path.
        var isDone: [ClassID: Bool] = [:]
        var path: [(id: ClassID, targets: [ClassID])] = []
        for (root, targets) in self where isDone[root] == nil {
            isDone[root] = false
            path = [(root, targets)]
            while let last = path.indices.last {
                guard let next = path[last].targets.popLast() else {
                    isDone[path.removeLast().id] = true
                    continue
                }
                if isDone[next] == false { return false }
                guard isDone[next] == nil else { continue }
                isDone[next] = false
                path.append((next, self[next] ?? []))
            }
        }
        return true
    }
}
