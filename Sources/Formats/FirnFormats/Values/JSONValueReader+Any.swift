import FirnText
import FirnValues

/// The tagged forms of the values of an Any that JSON alone would change.
///
///     {"$type":"date","value":"2026-11-21T08:00:00Z"}
///     {"$data":"AQID"}
///     {"$ref":"Dog","id":3}      {"$ref":"Dog","$id":17}
///
/// Only an object of exactly one of these forms is taken for it: `{"$ref":"#/types/date"}` of JSON Schema
/// or `{"$type":"app.bsky.feed.post",...}` is data.
enum AnyTag {
    static let type = "$type"
    static let value = "value"
    static let data = "$data"
    static let reference = "$ref"
    static let key = "id"
    static let row = "$id"

    /// Returns whether an object has one of the forms.
    static func isTagged(_ members: [JSONTree.Member]) -> Bool {
        func value(_ name: String) -> JSONTree? { members.first { $0.name == name }?.value }
        switch members.count {
        case 1:
            guard case .string(let text)? = value(data)?.content else { return false }
            return Array(text.utf8).withUnsafeBufferPointer { Base64.decode($0) } != nil
        case 2:
            if case .string? = value(reference)?.content {
                return value(key) != nil || value(row) != nil
            }
            guard case .string(let name)? = value(type)?.content, value(self.value) != nil else {
                return false
            }
            return valueTag(name) != nil
        default: return false
        }
    }

    /// Returns the type with a name, in any case.
    static func valueTag(_ name: String) -> ValueTag? {
        let wanted = name.utf8.count <= 16 ? name.lowercased() : ""
        let tag = ValueTag.allCases.first { $0.name.lowercased() == wanted }
        return tag == .any || tag == .link ? nil : tag
    }
}

extension JSONValueReader {
    /// Reads a value of any type.
    ///
    /// - Parameter depth: the number of enclosing lists and maps of the same Any.
    static func any(_ tree: JSONTree, depth: Int) throws(JSONMistake) -> JSONValue {
        switch tree.content {
        case .null: return .value(.null)
        case .bool(let value): return .value(.bool(value))
        case .string(let text): return .value(.string(text))
        case .number(let text):
            let isWhole = !text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == 0x65 }
            // Other programs write ids of 20 digits, which no double keeps.
            let isLarge = isWhole && Int64(text) == nil
            return .value(try scalar(tree, isLarge ? .decimal128 : isWhole ? .int : .double))
        case .array(let elements):
            try checkDepth(depth, tree)
            return try list(elements) { tree throws(JSONMistake) in
                try any(tree, depth: depth + 1)
            }
        case .object(let members):
            if AnyTag.isTagged(members) { return try tagged(tree, members, depth: depth) }
            try checkDepth(depth, tree)
            return try map(members) { tree throws(JSONMistake) in
                try any(tree, depth: depth + 1)
            }
        }
    }

    private static func checkDepth(_ depth: Int, _ tree: JSONTree) throws(JSONMistake) {
        guard depth < anyDepthMax else {
            throw JSONMistake(
                .value, "lists and maps nested more than \(anyDepthMax) levels deep", tree)
        }
    }

    private static func tagged(
        _ tree: JSONTree, _ members: [JSONTree.Member], depth: Int
    ) throws(JSONMistake) -> JSONValue {
        if let data = tree[AnyTag.data], members.count == 1 {
            do { return .value(try scalar(data, .data)) } catch {
                throw error.inside(property: AnyTag.data)
            }
        }
        if tree[AnyTag.reference] != nil { return .link(try link(tree)) }
        guard let type = tree[AnyTag.type], let value = tree[AnyTag.value],
            case .string(let name) = type.content
        else { throw JSONMistake(.value, "not a value of an Any", tree) }
        do { return try typed(value, name, type, depth: depth) } catch {
            throw error.position == type.position ? error : error.inside(property: AnyTag.value)
        }
    }

    /// Reads the value of `{"$type":name,"value":tree}`.
    private static func typed(
        _ tree: JSONTree, _ name: String, _ type: JSONTree, depth: Int
    ) throws(JSONMistake) -> JSONValue {
        guard let tag = AnyTag.valueTag(name) else {
            throw JSONMistake(.value, "not the type of a value", type)
        }
        switch tag {
        case .null, .list, .map:
            // The type of these values is evident; the tag must only agree.
            let plain = try any(tree, depth: depth)
            guard plain.tag == tag else {
                throw wrongKind(tree, PropertyType(tag), "another value")
            }
            return plain
        case .set:
            guard case .array(let elements) = tree.content else {
                throw wrongKind(tree, PropertyType(.set), "an array")
            }
            try checkDepth(depth, tree)
            return asSet(
                try list(elements) { tree throws(JSONMistake) in try any(tree, depth: depth + 1) })
        default: return .value(try scalar(tree, tag))
        }
    }

    /// Reads a reference to the target of a link.
    static func link(_ tree: JSONTree) throws(JSONMistake) -> JSONLink {
        switch tree.content {
        case .number, .string: return JSONLink(form: .key(tree), tree: tree)
        case .object(let members):
            guard AnyTag.isTagged(members), let reference = tree[AnyTag.reference],
                case .string(let className) = reference.content
            else { return JSONLink(form: .object(tree), tree: tree) }
            if let id = tree[AnyTag.key] {
                return JSONLink(form: .reference(className: className, id: id), tree: tree)
            }
            guard let row = tree[AnyTag.row] else { throw badReference(tree) }
            return JSONLink(
                form: .row(className: className, try rowID(row)), tree: tree)
        case .null, .bool, .array:
            throw wrongKind(
                tree, PropertyType(.link), "the key of an object, its $id or the object itself")
        }
    }

    private static func badReference(_ tree: JSONTree) -> JSONMistake {
        JSONMistake(
            .value,
            "a reference must be {\"$ref\":CLASS,\"id\":KEY} or {\"$ref\":CLASS,\"$id\":NUMBER}",
            tree)
    }

    /// Reads the row id of an object, as `$id` or as a link to a class without a key.
    static func rowID(_ tree: JSONTree) throws(JSONMistake) -> RowID {
        let value = try scalar(tree, .int)
        guard case .int(let number) = value, let row = UInt64(exactly: number) else {
            throw JSONMistake(.value, "a $id cannot be negative", tree)
        }
        return RowID(row)
    }
}

extension JSONValue {
    /// The type of the value after its links are resolved.
    var tag: ValueTag {
        switch self {
        case .value(let value): value.tag
        case .link: .link
        case .list: .list
        case .set: .set
        case .map: .map
        }
    }
}
