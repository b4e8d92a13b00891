import FirnEngine
import FirnText
import FirnValues

/// The edit of a collection, as the input gives it.
///
///     lists   "append":V  "insert":AT,"value":V  "replace":AT,"value":V  "remove":AT
///             "move":FROM,"to":TO
///     sets    "add":V  "discard":V
///     maps    "put":KEY,"value":V  "drop":KEY
///     all     "clear":true
///
/// Positions count from 0.
enum EditText {
    case append(JSONTree)
    case insert(Int, JSONTree)
    case replace(Int, JSONTree)
    case remove(Int)
    case move(from: Int, to: Int)
    case add(JSONTree)
    case discard(JSONTree)
    case put(String, JSONTree)
    case drop(String)
    case clear

    static let verbs = [
        "append", "insert", "replace", "remove", "move", "add", "discard", "put", "drop", "clear",
    ]

    init(_ record: ImportRecord) throws(RecordMistake) {
        let found = record.fields.filter { EditText.verbs.contains($0.name) }
        guard found.count == 1, let member = found.first else {
            var mistake = RecordMistake(
                .inputSyntax, "an edit needs exactly one verb", at: record.position)
            mistake.remedy = "verbs: " + EditText.verbs.joined(separator: ", ")
            throw mistake
        }
        let tree = member.value
        switch member.name {
        case "append": self = .append(tree)
        case "insert":
            self = .insert(try EditText.position(tree), try EditText.value(record))
        case "replace":
            self = .replace(try EditText.position(tree), try EditText.value(record))
        case "remove": self = .remove(try EditText.position(tree))
        case "move":
            guard let to = record["to"] else {
                throw RecordMistake(.inputSyntax, "\"move\" needs \"to\"", at: record.position)
            }
            self = .move(from: try EditText.position(tree), to: try EditText.position(to))
        case "add": self = .add(tree)
        case "discard": self = .discard(tree)
        case "put": self = .put(try EditText.key(tree), try EditText.value(record))
        case "drop": self = .drop(try EditText.key(tree))
        default: self = .clear
        }
    }

    private static func value(_ record: ImportRecord) throws(RecordMistake) -> JSONTree {
        guard let value = record["value"] else {
            throw RecordMistake(.inputSyntax, "the edit needs \"value\"", at: record.position)
        }
        return value
    }

    private static func position(_ tree: JSONTree) throws(RecordMistake) -> Int {
        guard case .number(let text) = tree.content, let position = Int(text), position >= 0 else {
            throw RecordMistake(.writeType, "a position is a number of at least 0", tree)
        }
        return position
    }

    private static func key(_ tree: JSONTree) throws(RecordMistake) -> String {
        guard case .string(let key) = tree.content else {
            throw RecordMistake(.writeType, "the key of a map must be a string", tree)
        }
        return key
    }

    /// The required type of the collection; `nil` for any.
    var container: PropertyType.Container? {
        switch self {
        case .append, .insert, .replace, .remove, .move: .list
        case .add, .discard: .set
        case .put, .drop: .map
        case .clear: nil
        }
    }

    /// The value to put into the collection.
    var value: JSONTree? {
        switch self {
        case .append(let tree), .insert(_, let tree), .replace(_, let tree), .add(let tree),
            .discard(let tree), .put(_, let tree):
            tree
        case .remove, .move, .drop, .clear: nil
        }
    }

    /// Returns the edit with its converted value.
    func edit(_ value: Value) -> CollectionEdit {
        switch self {
        case .append: .append(value)
        case .insert(let position, _): .insert(position, value)
        case .replace(let position, _): .replace(position, value)
        case .remove(let position): .remove(position)
        case .move(let from, let to): .move(from: from, to: to)
        case .add: .add(value)
        case .discard: .discard(value)
        case .put(let key, _): .put(key, value)
        case .drop(let key): .drop(key)
        case .clear: .clear
        }
    }
}
