import FirnEngine
import FirnValues

/// Writes values as JSON, for columns of the type jsonb.
///
///     typed       1, 1.5, true, "text", null
///     as a text   Data "\x00ff", Date, Decimal128, ObjectId, UUID, NaN, infinities and -0
///     link        the key of the target
///     embedded    {"property": typed, ...}
///     Any         {"t": "int", "v": 1}, and for links {"t": "link", "class": "Dog", "v": key}
///
/// The type of the property tells these apart; only Any names its types.
struct JSONEncoding {
    let schema: Schema
    /// Returns the values of an object; `nil` if it does not exist.
    let values: (ObjectReference) throws(StoreError) -> [Value]?

    /// Returns the node of a value of a property.
    ///
    /// - Throws: ``UpstreamError`` with `unsupported` if jsonb cannot store the value.
    func node(_ value: Value, _ type: PropertyType) throws(UpstreamError) -> JSONNode {
        guard type.container != .single else { return try element(value, type) }
        return try collection(value) { element throws(UpstreamError) in
            try self.element(element, type)
        }
    }

    private func collection(
        _ value: Value, _ encode: (Value) throws(UpstreamError) -> JSONNode
    ) throws(UpstreamError) -> JSONNode {
        switch value {
        case .list(let elements), .set(let elements):
            var nodes: [JSONNode] = []
            for element in elements { nodes.append(try encode(element)) }
            return .array(nodes)
        case .map(let members):
            var nodes: TextMap<JSONNode> = [:]
            for (name, member) in members {
                nodes[try JSONEncoding.checked(name)] = try encode(member)
            }
            return .object(nodes)
        default: return .null
        }
    }

    private func element(_ value: Value, _ type: PropertyType) throws(UpstreamError) -> JSONNode {
        if type.base == .any { return try tagged(value) }
        guard case .link(let object) = value else { return try JSONEncoding.scalar(value) }
        guard let target = schema[object.classID] else { return .null }
        return target.isEmbedded ? try embedded(object, target) : try key(of: object, target)
    }

    private func embedded(
        _ object: ObjectReference, _ type: ClassSchema
    ) throws(UpstreamError) -> JSONNode {
        guard let found = try read(object) else { return .null }
        var members: TextMap<JSONNode> = [:]
        for (property, value) in zip(type.properties, found) {
            // A column that is null would be the same, and take space.
            let node = try node(value, property.type)
            if node != .null { members[property.name] = node }
        }
        return .object(members)
    }

    private func key(
        of object: ObjectReference, _ type: ClassSchema
    ) throws(UpstreamError) -> JSONNode {
        guard let key = type.keyProperty, let index = type.index(of: key.id) else {
            throw UpstreamError(
                .unsupported, "a link to \(type.name), which has no primary key, is not replicated")
        }
        guard let found = try read(object), index < found.count else { return .null }
        return try JSONEncoding.scalar(found[index])
    }

    private func read(_ object: ObjectReference) throws(UpstreamError) -> [Value]? {
        try UpstreamError.converting { () throws(StoreError) in try values(object) }
    }

    /// Returns the node of a value in Any.
    private func tagged(_ value: Value) throws(UpstreamError) -> JSONNode {
        var members: TextMap<JSONNode> = ["t": .string(ReplicatedTag.name(value.tag))]
        switch value {
        case .null: return .null
        case .list, .set, .map: members["v"] = try collection(value, tagged)
        case .link(let object):
            guard let target = schema[object.classID] else { return .null }
            members["class"] = .string(target.name)
            let key = try key(of: object, target)
            if key == .null { return .null }
            members["v"] = key
        default: members["v"] = try JSONEncoding.scalar(value)
        }
        return .object(members)
    }

    private static func scalar(_ value: Value) throws(UpstreamError) -> JSONNode {
        switch value {
        case .bool(let value): return .bool(value)
        case .int(let number): return .number(String(number))
        case .float(let number): return real(Double(number), number.description)
        case .double(let number): return real(number, number.description)
        case .string(let text): return .string(try checked(text))
        case .date(let date): return .string(date.description)
        default:
            guard let text = try ScalarText.text(value) else { return .null }
            return .string(text)
        }
    }

    private static func real(_ number: Double, _ text: String) -> JSONNode {
        if number.isNaN { return .string("NaN") }
        if number.isInfinite { return .string(number < 0 ? "-Infinity" : "Infinity") }
        // The type numeric has no negative zero.
        return number == 0 && number.sign == .minus ? .string("-0.0") : .number(text)
    }

    private static func checked(_ text: String) throws(UpstreamError) -> String {
        guard !text.utf8.contains(0) else {
            throw UpstreamError(
                .unsupported, "PostgreSQL cannot store a text that contains U+0000")
        }
        return text
    }
}

/// The names of types in Any.
enum ReplicatedTag {
    private static let names: [(ValueTag, String)] = [
        (.bool, "bool"), (.int, "int"), (.float, "float"), (.double, "double"),
        (.string, "string"), (.data, "data"), (.date, "date"), (.decimal128, "decimal128"),
        (.objectID, "objectId"), (.uuid, "uuid"), (.link, "link"), (.list, "list"), (.set, "set"),
        (.map, "map"),
    ]

    static func name(_ tag: ValueTag) -> String {
        names.first { $0.0 == tag }?.1 ?? "null"
    }

    static func tag(_ name: String) -> ValueTag? { names.first { $0.1 == name }?.0 }
}
