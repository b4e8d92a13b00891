import FirnValues

/// One line of the stream of `observe`, of any shape that has objects.
struct ObservedLine {
    /// What a line says that is about no single object.
    enum Kind {
        /// The objects that are there, or the announcement of lines that have them.
        case initial
        /// An earlier stream goes on.
        case resume
        /// What was told before holds no longer.
        case reset
        /// What some commits did.
        case update
        /// Nothing happened to the objects.
        case sign
        /// What happened to one object.
        case row(Verb)
    }

    /// What happened to an object.
    enum Verb: String {
        case insert
        case update
        case delete
    }

    let record: ImportRecord
    let kind: Kind
    /// The version that the line brings its reader to.
    let version: UInt64

    init(_ record: ImportRecord) throws(RecordMistake) {
        self.record = record
        kind = try ObservedLine.kind(record)
        guard let tree = record["version"], let version = ObservedLine.number(tree) else {
            throw RecordMistake(
                .inputSyntax, "a line of observe needs \"version\":NUMBER", at: record.place)
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
                .inputSyntax, "a line of observe needs \"type\" or \"op\"", at: record.place)
        }
        switch type {
        case "initial": return .initial
        case "resume": return .resume
        case "reset": return .reset
        case "update": return .update
        // Later versions may say more: what changes objects will always be one of those above.
        default: return .sign
        }
    }

    /// Whether objects, or their classes, may have to be written because of the line.
    var changesObjects: Bool {
        switch kind {
        case .initial, .update, .row: true
        case .resume, .reset, .sign: false
        }
    }

    static func number(_ tree: JSONTree) -> UInt64? {
        if case .number(let text) = tree.content { UInt64(text) } else { nil }
    }

    /// A member that is a number; `nil` if it is not there or something else.
    func number(_ name: String) -> UInt64? { record[name].flatMap(ObservedLine.number) }

    /// Whether a member is true.
    func flag(_ name: String) -> Bool {
        if case .bool(true)? = record[name]?.content { true } else { false }
    }

    /// The position behind the line, if the stream can go on there.
    var token: String? {
        if case .string(let text)? = record["token"]?.content { text } else { nil }
    }

    var className: String? {
        if case .string(let name)? = record["class"]?.content { name } else { nil }
    }

    /// The objects of an array; empty if it is not there.
    func entries(_ name: String) throws(RecordMistake) -> [ImportRecord] {
        guard let tree = record[name] else { return [] }
        guard case .array(let trees) = tree.content else {
            throw RecordMistake(.inputSyntax, "\(name) must be an array of objects", tree)
        }
        var entries: [ImportRecord] = []
        for tree in trees { entries.append(try ObservedLine.object(tree)) }
        return entries
    }

    /// An object as a record.
    static func object(_ tree: JSONTree) throws(RecordMistake) -> ImportRecord {
        guard case .object(let fields) = tree.content else {
            throw RecordMistake(.inputSyntax, "expected an object, not \(tree.kindName)", tree)
        }
        return ImportRecord(className: nil, fields: fields, place: tree.place, isTable: false)
    }
}
