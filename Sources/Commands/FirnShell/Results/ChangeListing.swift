import FirnEngine
import FirnFormats
import FirnQuery
import FirnTools
import FirnValues

/// The objects that differ between two versions, one per line.
///
///     + Person 7     inserted
///     ~ Person 9     age 41 → 42
///     - Person 11    deleted
struct ChangeListing {
    /// The maximum number of lines; a longer list would not be useful.
    private static let linesMax = 1000
    private static let valueCharactersMax = 40

    private(set) var text = ""
    private(set) var json = ""
    private var lineCount = 0
    private var leftOut: UInt64 = 0

    var isEmpty: Bool { lineCount == 0 }

    init(_ changes: VersionChanges, from old: Snapshot, to new: Snapshot) throws(StoreError) {
        if changes.schemaChanged || changes.indexesChanged {
            add("~ classes\n", ChangeListing.record("schema", nil, nil))
        }
        for (classID, change) in changes.classes.sorted(by: { $0.key < $1.key }) {
            guard let schema = new.schema[classID] ?? old.schema[classID] else { continue }
            for row in change.created {
                try add("+", "insert", row, schema, in: new)
            }
            for object in change.modified {
                try addModified(object, schema, old, new)
            }
            for row in change.deleted { try add("-", "delete", row, schema, in: old) }
        }
        if leftOut > 0 { text += "… \(Formatting.count(leftOut)) more\n" }
    }

    private mutating func add(
        _ sign: String, _ operation: String, _ row: RowID, _ schema: ClassSchema,
        in snapshot: Snapshot
    ) throws(StoreError) {
        guard hasRoom() else { return }
        let key = try ChangeListing.key(of: row, schema, snapshot)
        add(
            "\(sign) \(SafeText.escaping(schema.name)) \(key)\n",
            ChangeListing.record(operation, schema.name, key))
    }

    private mutating func addModified(
        _ object: ModifiedObject, _ schema: ClassSchema, _ old: Snapshot, _ new: Snapshot
    ) throws(StoreError) {
        guard hasRoom() else { return }
        let key = try ChangeListing.key(of: object.row, schema, new)
        let before = try old.table(schema.id)?.values(of: object.row) ?? []
        let after = try new.table(schema.id)?.values(of: object.row) ?? []
        var parts: [String] = []
        var names: [String] = []
        for (index, property) in schema.properties.enumerated()
        where object.properties.contains(property.id) && index < min(before.count, after.count) {
            guard before[index] != after[index] else { continue }
            names.append(property.name)
            parts.append(
                SafeText.escaping(property.name) + " " + ChangeListing.shown(before[index]) + " → "
                    + ChangeListing.shown(after[index]))
        }
        guard !parts.isEmpty else { return }
        var record = ChangeListing.record("update", schema.name, key)
        record.add("changed", names)
        add(
            "~ \(SafeText.escaping(schema.name)) \(key) \(parts.joined(separator: ", "))\n", record)
    }

    private mutating func hasRoom() -> Bool {
        if lineCount < ChangeListing.linesMax { return true }
        leftOut += 1
        return false
    }

    private mutating func add(_ line: String, _ record: JSONObject) {
        text += line
        json += record.text + "\n"
        lineCount += 1
    }

    private static func record(
        _ operation: String, _ className: String?, _ key: String?
    ) -> JSONObject {
        var record = JSONObject()
        record.add("op", operation)
        if let className { record.add("class", className) }
        if let key { record.add("id", key) }
        return record
    }

    /// Returns the key of an object, or its row id if the class has no key.
    private static func key(
        of row: RowID, _ schema: ClassSchema, _ snapshot: Snapshot
    ) throws(StoreError) -> String {
        guard let key = schema.key, let index = schema.index(of: key),
            let values = try snapshot.table(schema.id)?.values(of: row)
        else { return "@\(row.rawValue)" }
        return shown(values[index])
    }

    private static func shown(_ value: Value) -> String {
        SafeText.excerpt(of: value.shownText.utf8, characters: valueCharactersMax)
    }
}

extension Value {
    /// The value in readable form.
    fileprivate var shownText: String {
        switch self {
        case .list(let values): return "\(values.count) elements"
        case .set(let values): return "\(values.count) elements"
        case .map(let values): return "\(values.count) entries"
        case .link(let target): return "@\(target.rowID.rawValue)"
        default: return ValueText.text(self)
        }
    }
}
