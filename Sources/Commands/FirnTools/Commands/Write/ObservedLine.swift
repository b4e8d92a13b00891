import FirnFormats
import FirnText
import FirnValues

/// One line of a stream of `observe`, in any shape that contains objects.
struct ObservedLine {
    /// The type of a line.
    enum Kind {
        /// The initial objects, or a line that announces them.
        case initial
        /// The stream resumes an earlier one.
        case resume
        /// The earlier lines are no longer valid.
        case reset
        /// The changes of some commits.
        case update
        /// A line without changes.
        case sign
        /// The change to one object.
        case row(Verb)
    }

    /// The change to an object.
    enum Verb: String {
        case insert
        case update
        case delete
    }

    let record: ImportRecord
    let kind: Kind
    /// The version after the line.
    let version: UInt64

    init(_ record: ImportRecord) throws(RecordMistake) {
        self.record = record
        kind = try ObservedLine.kind(record)
        guard let tree = record["version"], let version = ObservedLine.number(tree) else {
            throw RecordMistake(
                .inputSyntax, "a line of observe needs \"version\":NUMBER", at: record.position)
        }
        self.version = version
    }

    private static func kind(_ record: ImportRecord) throws(RecordMistake) -> Kind {
        if let op = record["op"] {
            guard case .string(let name) = op.content, let verb = Verb(rawValue: name) else {
                throw RecordMistake(.inputSyntax, "op must be insert, update or delete", op)
            }
            return .row(verb)
        }
        guard case .string(let type)? = record["type"]?.content else {
            throw RecordMistake(
                .inputSyntax, "a line of observe needs \"type\" or \"op\"", at: record.position)
        }
        switch type {
        case "initial": return .initial
        case "resume": return .resume
        case "reset": return .reset
        case "update": return .update
        // Later versions may add types, but changes to objects will always use one of those above.
        default: return .sign
        }
    }

    /// Whether the line may require writing objects or classes.
    var changesObjects: Bool {
        switch kind {
        case .initial, .update, .row: true
        case .resume, .reset, .sign: false
        }
    }

    static func number(_ tree: JSONTree) -> UInt64? {
        if case .number(let text) = tree.content { UInt64(text) } else { nil }
    }

    /// Returns a numeric member; `nil` if it is missing or not a number.
    func number(_ name: String) -> UInt64? { record[name].flatMap(ObservedLine.number) }

    /// Returns whether a member is true.
    func flag(_ name: String) -> Bool {
        if case .bool(true)? = record[name]?.content { true } else { false }
    }

    /// The position after the line, if the stream can resume there.
    var token: String? {
        if case .string(let text)? = record["token"]?.content { text } else { nil }
    }

    var className: String? {
        if case .string(let name)? = record["class"]?.content { name } else { nil }
    }

    /// Returns the objects of an array; empty if it is missing.
    func entries(_ name: String) throws(RecordMistake) -> [ImportRecord] {
        guard let tree = record[name] else { return [] }
        guard case .array(let trees) = tree.content else {
            throw RecordMistake(.inputSyntax, "\(name) must be an array of objects", tree)
        }
        var entries: [ImportRecord] = []
        for tree in trees { entries.append(try ObservedLine.object(tree)) }
        return entries
    }

    /// Returns an object as a record.
    static func object(_ tree: JSONTree) throws(RecordMistake) -> ImportRecord {
        guard case .object(let fields) = tree.content else {
            throw RecordMistake(.inputSyntax, "expected an object, not \(tree.kindName)", tree)
        }
        return ImportRecord(className: nil, fields: fields, position: tree.position, cells: nil)
    }
}
