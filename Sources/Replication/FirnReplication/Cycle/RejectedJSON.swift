import FirnEngine
import FirnValues

/// The contents of rejected transactions as lines of JSON, one for each change.
///
///     {"number":3,"time":1764366000000,"class":"Task","key":"7","change":"created",
///      "reason":"...","values":{"id":7,"title":"Sweep"},"replaces":{"title":"Mop"}}
///
/// Numbers, Bools, collections and embedded objects are JSON, and all other values texts. `replaces`
/// has the values that the change replaced, or that the server had in their place.
struct RejectedJSON {
    private let schema: Schema

    init(_ schema: Schema) { self.schema = schema }

    func line(_ change: Outgoing, _ item: RejectedTransaction, verb: String) -> String {
        let type = schema.classNamed(change.className).flatMap { try? SyncedClass($0, in: schema) }
        var values: TextMap<JSONNode> = [:]
        var others: TextMap<JSONNode> = [:]
        for property in change.properties {
            let column = type?.column(named: property.name)
            values[property.name] = node(property.texts.first ?? nil, column)
            if let base = property.base { others[property.name] = node(base.first ?? nil, column) }
        }
        var members: TextMap<JSONNode> = [
            "number": .number(String(item.number)), "time": .number(String(change.id >> 20)),
            "class": .string(change.className), "key": .string(change.key), "change": .string(verb),
            "reason": .string(item.reason), "values": .object(values),
        ]
        if !others.isEmpty { members["replaces"] = .object(others) }
        return JSONNode.object(members).text
    }

    private func node(_ text: String?, _ column: SyncedColumn?) -> JSONNode {
        guard let text else { return .null }
        guard let column else { return .string(text) }
        if column.isJSON { return JSONNode(parsing: text) ?? .string(text) }
        guard column.isCollection else { return scalar(text, column.stored) }
        guard let elements = ArrayText.elements(text) else { return .string(text) }
        return .array(elements.map { $0.map { scalar($0, column.stored) } ?? .null })
    }

    private func scalar(_ text: String, _ tag: ValueTag) -> JSONNode {
        switch tag {
        case .bool: .bool(text == "t")
        // NaN and infinity are texts.
        case .int, .float, .double, .decimal128:
            JSONNode(parsing: text).map { $0.isNumber ? $0 : .string(text) } ?? .string(text)
        default: .string(text)
        }
    }
}

extension JSONNode {
    fileprivate var isNumber: Bool {
        if case .number = self { return true }
        return false
    }
}
