import FirnEngine
package import FirnText
package import FirnValues

/// Converts JSON to the value of a property, strictly by its type.
package enum JSONValueReader {
    /// The maximum nesting depth of lists and maps in an Any.
    static let anyDepthMax = 128

    /// Reads a value of a type: a single value or a whole collection, which null leaves empty.
    ///
    /// - Throws: an error whose path begins below the property.
    package static func read(
        _ tree: JSONTree, as type: PropertyType
    ) throws(JSONMistake) -> JSONValue {
        if type.container != .single, case .null = tree.content, let empty = type.absentValue {
            return .value(empty)
        }
        switch type.container {
        case .single: return try element(tree, as: type)
        case .list:
            guard case .array(let elements) = tree.content else {
                throw wrongKind(tree, type, "an array")
            }
            return try list(elements, as: type)
        case .set:
            guard case .array(let elements) = tree.content else {
                throw wrongKind(tree, type, "an array")
            }
            return asSet(try list(elements, as: type))
        case .map:
            guard case .object(let members) = tree.content else {
                throw wrongKind(tree, type, "an object")
            }
            return try map(members, as: type)
        }
    }

    /// Reads a single value, or an element of a collection.
    private static func element(
        _ tree: JSONTree, as type: PropertyType
    ) throws(JSONMistake) -> JSONValue {
        if case .null = tree.content {
            let isLink = type.base == .link && type.container == .single
            guard type.isOptional || type.base == .any || isLink else {
                throw JSONMistake(.missingValue, "\(type.element.name) cannot be null", tree)
            }
            return .value(.null)
        }
        switch type.base {
        case .any: return try any(tree, depth: 0)
        case .link: return .link(try link(tree))
        default: return .value(try scalar(tree, type.base, type.integerWidth))
        }
    }

    private static func list(
        _ elements: [JSONTree], as type: PropertyType
    ) throws(JSONMistake) -> JSONValue {
        try list(elements) { tree throws(JSONMistake) in try element(tree, as: type) }
    }

    /// Reads the elements of a list; an error includes the index of its element.
    static func list(
        _ elements: [JSONTree], _ read: (JSONTree) throws(JSONMistake) -> JSONValue
    ) throws(JSONMistake) -> JSONValue {
        var values: [Value] = []
        var mixed: [JSONValue]?
        values.reserveCapacity(elements.count)
        for (index, tree) in elements.enumerated() {
            let element: JSONValue
            do { element = try read(tree) } catch { throw error.inside(element: index) }
            if case .value(let value) = element, mixed == nil {
                values.append(value)
            } else {
                // From the first link on, the elements are kept unresolved.
                if mixed == nil { mixed = values.map { .value($0) } }
                mixed?.append(element)
            }
        }
        return mixed.map { .list($0) } ?? .value(.list(values))
    }

    static func asSet(_ list: JSONValue) -> JSONValue {
        switch list {
        case .value(.list(let values)): .value(.set(JSONValue.distinct(values)))
        case .list(let elements): .set(elements)
        default: list
        }
    }

    private static func map(
        _ members: [JSONTree.Member], as type: PropertyType
    ) throws(JSONMistake) -> JSONValue {
        try map(members) { tree throws(JSONMistake) in try element(tree, as: type) }
    }

    /// Reads the entries of a map; an error includes the key of its entry.
    static func map(
        _ members: [JSONTree.Member], _ read: (JSONTree) throws(JSONMistake) -> JSONValue
    ) throws(JSONMistake) -> JSONValue {
        var values: TextMap<Value> = [:]
        var entries: [(key: String, value: JSONValue)] = []
        var hasLinks = false
        for member in members {
            let value: JSONValue
            do { value = try read(member.value) } catch { throw error.inside(entry: member.name) }
            entries.append((member.name, value))
            if case .value(let plain) = value {
                values[member.name] = plain
            } else {
                hasLinks = true
            }
        }
        return hasLinks ? .map(entries) : .value(.map(values))
    }

    static func wrongKind(
        _ tree: JSONTree, _ type: PropertyType, _ expected: String
    ) -> JSONMistake {
        if case .null = tree.content {
            return JSONMistake(.missingValue, "\(type.name) cannot be null", tree)
        }
        return JSONMistake(.type, "\(type.name) takes \(expected), not \(tree.kindName)", tree)
    }
}
