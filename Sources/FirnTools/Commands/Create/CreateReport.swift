import FirnEngine
import FirnValues

/// What `create` made.
struct CreateReport {
    let file: String
    let version: LSN
    let tables: [ImportTable]
    let bytes: UInt64
    let nanoseconds: UInt64

    var text: String {
        let classes = tables.map { table in
            "\(table.definition.name) (\(Amounts.count(UInt64(table.columns.count), "property")), "
                + "\(Amounts.count(table.rowCount, "object")))"
        }
        return "created \(SafeText.escaping(file)): "
            + (classes.isEmpty ? "no classes" : classes.joined(separator: ", "))
            + ", version \(version.rawValue), \(Amounts.bytes(bytes))\n"
    }

    var json: String {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "create")
        json.add("file", file)
        json.add("version", Int64(clamping: version.rawValue))
        json.add(
            "classes",
            tables.map { table in
                var json = JSONObject()
                json.add("name", table.definition.name)
                json.add("properties", Int64(table.columns.count))
                json.add("objects", Int64(clamping: table.rowCount))
                return json
            })
        json.add("bytes", Int64(clamping: bytes))
        json.add("seconds", nanoseconds: nanoseconds)
        return json.text + "\n"
    }
}
