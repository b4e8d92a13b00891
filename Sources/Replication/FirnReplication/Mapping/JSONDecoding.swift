import FirnEngine
import FirnValues

/// Reads values that ``JSONEncoding`` wrote.
///
/// A link to an object that is not in the file is nil, and is omitted from lists and sets.
struct JSONDecoding {
    let schema: Schema
    /// Returns the object of a class with a key.
    let find: (ClassSchema, Value) throws(StoreError) -> RowID?
    /// Creates an embedded object, whose owner gets it.
    let create: (ClassID, [Value]) throws(StoreError) -> RowID

    /// Returns the value of a property; `nil` if the node does not fit its type.
    func value(_ node: JSONNode, _ type: PropertyType) throws(UpstreamError) -> Value? {
        guard type.container != .single else { return try element(node, type) }
        return try collection(node, type.container) { node throws(UpstreamError) in
            guard let value = try element(node, type) else { return nil }
            // A required value that is nil does not fit; a link may have no target here.
            return value.isNull && !type.mayHoldNull ? nil : value
        } isOmitted: { node, value in
            value.isNull && node != .null && type.base == .link
        }
    }

    private func collection(
        _ node: JSONNode, _ container: PropertyType.Container,
        _ decode: (JSONNode) throws(UpstreamError) -> Value?,
        isOmitted: (JSONNode, Value) -> Bool = { _, _ in false }
    ) throws(UpstreamError) -> Value? {
        if container == .map {
            guard case .object(let nodes) = node else { return nil }
            var members: TextMap<Value> = [:]
            for (name, node) in nodes {
                // What the keys of maps may not be.
                guard !name.hasPrefix("$"), !name.contains(".") else { return nil }
                guard let value = try decode(node) else { return nil }
                members[name] = value
            }
            return .map(members)
        }
        guard case .array(let nodes) = node else { return nil }
        var elements: [Value] = []
        for node in nodes {
            guard let value = try decode(node) else { return nil }
            if !isOmitted(node, value) { elements.append(value) }
        }
        return container == .set ? .set(elements) : .list(elements)
    }

    private func element(_ node: JSONNode, _ type: PropertyType) throws(UpstreamError) -> Value? {
        if node == .null { return type.mayHoldNull ? .null : nil }
        if type.base == .any { return try tagged(node) }
        guard type.base == .link else {
            guard let value = JSONDecoding.scalar(node, type.base) else { return nil }
            if case .int(let number) = value, !type.integerWidth.range.contains(number) {
                return nil
            }
            return value
        }
        guard let target = type.target.flatMap({ schema[$0] }) else { return nil }
        return target.isEmbedded ? try embedded(node, target) : try link(node, to: target)
    }

    private func link(_ node: JSONNode, to target: ClassSchema) throws(UpstreamError) -> Value? {
        guard let key = target.keyProperty, let value = JSONDecoding.scalar(node, key.type.base)
        else { return nil }
        let row = try UpstreamError.converting { () throws(StoreError) in try find(target, value) }
        return row.map { .link(ObjectReference(classID: target.id, rowID: $0)) } ?? .null
    }

    private func embedded(
        _ node: JSONNode, _ type: ClassSchema
    ) throws(UpstreamError) -> Value? {
        guard case .object(let members) = node else { return nil }
        var values: [Value] = []
        for property in type.properties {
            guard let member = members[property.name] else {
                guard let absent = property.type.absentValue else { return nil }
                values.append(absent)
                continue
            }
            guard let value = try value(member, property.type) else { return nil }
            values.append(value)
        }
        let row = try UpstreamError.converting { () throws(StoreError) in
            try create(type.id, values)
        }
        return .link(ObjectReference(classID: type.id, rowID: row))
    }

    /// Returns the value of a node in Any.
    private func tagged(_ node: JSONNode) throws(UpstreamError) -> Value? {
        if node == .null { return .null }
        guard case .object(let members) = node, case .string(let name)? = members["t"],
            let tag = ReplicatedTag.tag(name), let content = members["v"]
        else { return nil }
        switch tag {
        case .list: return try collection(content, .list, tagged)
        case .set: return try collection(content, .set, tagged)
        case .map: return try collection(content, .map, tagged)
        case .link:
            guard case .string(let className)? = members["class"] else { return nil }
            // A class that this file does not have.
            guard let target = schema.classNamed(className) else { return .null }
            return try link(content, to: target)
        default: return JSONDecoding.scalar(content, tag)
        }
    }

    private static func scalar(_ node: JSONNode, _ tag: ValueTag) -> Value? {
        switch (node, tag) {
        case (.bool(let value), .bool): .bool(value)
        case (.number(let digits), .int): Int64(digits).map { .int($0) }
        case (.number(let digits), .float), (.string(let digits), .float):
            Float(digits).map { .float($0) }
        case (.number(let digits), .double), (.string(let digits), .double):
            Double(digits).map { .double($0) }
        case (.string(let text), .string): .string(text)
        case (.string(let text), .date): Timestamp(text).map { .date($0) }
        case (.string(let text), .data), (.string(let text), .objectID),
            (.string(let text), .decimal128), (.string(let text), .uuid):
            ScalarText.value(text, tag)
        default: nil
        }
    }
}

/// Embedded objects that exist only to compare the values that hold them.
final class ScratchObjects {
    private var objects: [ObjectReference: [Value]] = [:]
    private var next: UInt64 = 0

    func create(_ classID: ClassID, _ values: [Value]) -> RowID {
        let row = RowID(next)
        next += 1
        objects[ObjectReference(classID: classID, rowID: row)] = values
        return row
    }

    subscript(object: ObjectReference) -> [Value]? { objects[object] }

    func removeAll() { objects.removeAll() }
}

extension PropertyType {
    /// Whether a value or an element may be nil, as read from the server.
    fileprivate var mayHoldNull: Bool { isOptional || base == .any || base == .link }
}
