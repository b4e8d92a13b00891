import FirnEngine
import FirnFormats
import FirnQuery
import FirnSyntax
import FirnTools
import FirnValues

/// A summary of the values of the properties of a class.
struct ClassProfile {
    private static let cellCharactersMax = 30

    private let schema: ClassSchema
    private let snapshot: DatabaseSnapshot
    private let file: String
    private let environment: CommandEnvironment

    /// - Parameter file: the name of the database in errors.
    init(
        _ schema: ClassSchema, _ snapshot: DatabaseSnapshot, file: String,
        _ environment: CommandEnvironment
    ) {
        self.schema = schema
        self.snapshot = snapshot
        self.file = file
        self.environment = environment
    }

    /// Returns the summary of one property, for people and for programs.
    func line(
        of property: PropertySchema
    ) throws(CommandFailure) -> (cells: [String], record: JSONObject) {
        let type = snapshot.schema.typeName(property.type)
        var cells = [SafeText.escaping(property.name), SafeText.escaping(type), "", "", "", ""]
        var record = JSONObject()
        record.add("property", property.name)
        record.add("type", type)
        let path = Canonical.name(property.name)
        guard property.type.container == .single else { return (cells, record) }
        if property.type.isOptional {
            let nulls = try count("\(path) == nil")
            cells[2] = Formatting.count(nulls)
            record.add("nulls", Int64(clamping: nulls))
        }
        guard property.type.base != .link, property.type.base != .any else {
            return (cells, record)
        }
        let distinct = try count("DISTINCT(\(path))")
        cells[3] = Formatting.count(distinct)
        record.add("distinct", Int64(clamping: distinct))
        for (index, direction) in [(4, "ASC"), (5, "DESC")] {
            let value = try first(path, direction, among: property)
            cells[index] = SafeText.excerpt(
                of: value.utf8, characters: ClassProfile.cellCharactersMax)
            record.add(index == 4 ? "min" : "max", value)
        }
        return (cells, record)
    }

    private func count(_ stage: String) throws(CommandFailure) -> UInt64 {
        guard case .int(let count)? = try value("\(stage) | count") else { return 0 }
        return UInt64(clamping: count)
    }

    /// Returns the minimum or maximum value as text.
    private func first(
        _ path: String, _ direction: String, among property: PropertySchema
    ) throws(CommandFailure) -> String {
        let known = property.type.isOptional ? "\(path) != nil | " : ""
        let value = try value(
            known + "SORT(\(path) \(direction)) | LIMIT(1) | project(\(path))")
        guard let value else { return "" }
        return ValueText.text(value)
    }

    private func value(_ stages: String) throws(CommandFailure) -> Value? {
        let query = PrintedQuery(
            "\(Canonical.name(schema.name)) | \(stages)", defaultClass: nil, arguments: [:])
        return try query.values(snapshot, named: file, environment).first?.first
    }
}

/// A value as `.vars` and `.describe` show it.
enum ValueText {
    static func text(_ value: Value) -> String {
        switch value {
        case .string(let text): text
        default: Canonical.literal(value)
        }
    }
}
