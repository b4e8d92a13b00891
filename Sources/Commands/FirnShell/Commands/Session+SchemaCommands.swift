import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnTools
import FirnValues

/// `.classes`, `.schema`, `.use`, `.describe`.
extension Session {
    func schema(
        _ name: DotCommandName, _ arguments: DotArguments
    ) throws(CommandFailure) {
        switch name {
        case .classes: try listClasses(arguments)
        case .schema: try showSchema(arguments)
        case .use: try use(arguments)
        default: try describe(arguments)
        }
    }

    private func listClasses(_ arguments: DotArguments) throws(CommandFailure) {
        let part = try arguments.onlyIfAny()?.lowercased()
        let snapshot = try snapshot()
        var rows: [[String]] = [["class", "objects", "properties", "key"]]
        var records: [JSONObject] = []
        for schema in snapshot.schema.listedClasses {
            if let part, !schema.name.lowercased().contains(part) { continue }
            let count = UInt64(clamping: snapshot.snapshot.table(schema.id)?.liveRowCount ?? 0)
            let key = schema.keyProperty?.name
            rows.append([
                SafeText.escaping(schema.name), Formatting.count(count),
                "\(schema.properties.count)",
                SafeText.escaping(key ?? (schema.isEmbedded ? "(embedded)" : "")),
            ])
            var record = JSONObject()
            record.add("name", schema.name)
            record.add("objects", Int64(clamping: count))
            record.add("properties", Int64(schema.properties.count))
            if let key { record.add("key", key) }
            if schema.isEmbedded { record.add("embedded", true) }
            records.append(record)
        }
        try show(
            text: rows.count > 1 ? TextColumns.aligned(rows, right: [1, 2]) : "",
            json: records.map { $0.text + "\n" }.joined())
        if records.isEmpty { report("there is no such class") }
    }

    private func showSchema(_ arguments: DotArguments) throws(CommandFailure) {
        let schema = try snapshot().schema
        var classes = schema.listedClasses
        if let name = try arguments.onlyIfAny() {
            classes = [try schema.chosen(name, in: try openDatabase().path)]
        }
        let definitions = classes.map { schema.definition(of: $0) }
        try show(
            text: SchemaText.text(definitions), json: SchemaDocument.json(definitions) + "\n")
    }

    private func use(_ arguments: DotArguments) throws(CommandFailure) {
        guard let name = try arguments.onlyIfAny() else {
            return report("class \(SafeText.escaping(className ?? "none"))")
        }
        if name == "-" {
            className = nil
            return
        }
        className = try snapshot().schema.chosen(name, in: try openDatabase().path).name
    }

    private func describe(_ arguments: DotArguments) throws(CommandFailure) {
        guard let name = try arguments.onlyIfAny() ?? className else { throw arguments.wrong() }
        let snapshot = try snapshot()
        let database = try openDatabase()
        let schema = try snapshot.schema.chosen(name, in: database.path)
        let profile = ClassProfile(schema, snapshot, file: database.path, environment)
        var rows = [["property", "type", "nulls", "distinct", "min", "max"]]
        var records: [JSONObject] = []
        for property in schema.properties {
            try environment.checkSignals()
            let line = try profile.line(of: property)
            rows.append(line.cells)
            records.append(line.record)
        }
        try show(
            text: TextColumns.aligned(rows, right: [2, 3]),
            json: records.map { $0.text + "\n" }.joined())
    }
}
