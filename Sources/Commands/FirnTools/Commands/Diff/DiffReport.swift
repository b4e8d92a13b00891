import FirnFormats
import FirnValues

/// The numbers of objects of a class that differ.
struct DiffCounts: Hashable {
    let className: String
    var inserted: UInt64 = 0
    var updated: UInt64 = 0
    var deleted: UInt64 = 0

    init(className: String) { self.className = className }

    var isEmpty: Bool { inserted == 0 && updated == 0 && deleted == 0 }

    /// `+3 ~1 -0`.
    var text: String {
        "+\(Formatting.count(inserted)) ~\(Formatting.count(updated)) -\(Formatting.count(deleted))"
    }

    func add(to json: inout JSONObject) {
        json.add("inserted", Int64(clamping: inserted))
        json.add("updated", Int64(clamping: updated))
        json.add("deleted", Int64(clamping: deleted))
    }

    /// The counts, with the name of the class.
    var record: JSONObject {
        var json = JSONObject()
        json.add("class", className)
        add(to: &json)
        return json
    }

    /// Returns the sum of the counts of several classes.
    static func sum(_ counts: [DiffCounts], className: String = "") -> DiffCounts {
        counts.reduce(into: DiffCounts(className: className)) { sum, item in
            sum.inserted += item.inserted
            sum.updated += item.updated
            sum.deleted += item.deleted
        }
    }
}

/// The report of `diff --summary`.
struct DiffReport {
    let file: String
    /// The other database; `nil` if two versions of one database were compared.
    let other: String?
    let from: LSN
    let to: LSN
    let schemaChanged: Bool
    let schema: SchemaDifference
    /// The counts of the classes with differences.
    let counts: [DiffCounts]

    var text: String {
        guard !counts.isEmpty || schemaChanged else { return "no differences\n" }
        var text = schemaChanged ? "the classes differ\n" : ""
        text += schema.changes.map { "  \($0)\n" }.joined()
        if !counts.isEmpty {
            let rows = counts.map { item in
                [
                    SafeText.escaping(item.className), Formatting.count(item.inserted),
                    Formatting.count(item.updated), Formatting.count(item.deleted),
                ]
            }
            text += TextColumns.aligned(
                [["class", "inserted", "updated", "deleted"]] + rows, right: [1, 2, 3])
        }
        return text
    }

    var json: String {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "diff")
        json.add("file", file)
        if let other { json.add("other", other) }
        json.add("from", Int64(clamping: from.rawValue))
        json.add("to", Int64(clamping: to.rawValue))
        json.add("schemaChanged", schemaChanged)
        if !schema.changes.isEmpty { json.add("schema", schema.changes) }
        DiffCounts.sum(counts).add(to: &json)
        json.add("classes", counts.map(\.record))
        return json.text + "\n"
    }
}
