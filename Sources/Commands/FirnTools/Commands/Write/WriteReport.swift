import FirnEngine
import FirnFormats
import FirnValues

/// The report of one commit of `write`.
struct WriteReport {
    var file = ""
    var version = LSN.zero
    var previous = LSN.zero
    var inserted: UInt64 = 0
    var updated: UInt64 = 0
    var deleted: UInt64 = 0
    var unchanged: UInt64 = 0
    var rejected: UInt64 = 0
    /// The replaced objects that lost values because the input does not have their properties.
    var emptied: UInt64 = 0
    /// The changes to the schema.
    var schema: SchemaDifference?
    /// The file with the rejected records.
    var rejects: String?
    var links: [LinkOutcome] = []
    var isDryRun = false
    var bytes: UInt64 = 0
    var nanoseconds: UInt64 = 0

    var text: String {
        let counts = [
            (inserted, "inserted"), (updated, "updated"), (deleted, "deleted"),
            (unchanged, "unchanged"), (rejected, "rejected"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { "\(Formatting.count($0.0)) \($0.1)" }
        var text = isDryRun ? "would write " : "wrote "
        text += SafeText.escaping(file) + ": "
        text += parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")
        if let rejects, rejected > 0 { text += " (\(SafeText.escaping(rejects)))" }
        text += ", version \(version.rawValue), \(Formatting.bytes(bytes))\n"
        return text
    }

    /// The surprises for a person, one line each.
    var notes: [String] {
        var notes = links.filter { $0.unmatched > 0 }.map(\.text)
        if let schema, !schema.changes.isEmpty {
            notes.append("the schema changed: \(schema.text)")
        }
        if emptied > 0 {
            notes.append(
                "\(Formatting.count(emptied, "replaced object")) lost values of properties that the "
                    + "input does not have; --update keeps them")
        }
        return notes
    }

    var json: String {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "write")
        json.add("file", file)
        json.add("version", Int64(clamping: version.rawValue))
        json.add("prev", Int64(clamping: previous.rawValue))
        json.add("inserted", Int64(clamping: inserted))
        json.add("updated", Int64(clamping: updated))
        json.add("deleted", Int64(clamping: deleted))
        json.add("unchanged", Int64(clamping: unchanged))
        json.add("rejected", Int64(clamping: rejected))
        if let rejects { json.add("rejects", rejects) }
        if emptied > 0 { json.add("emptied", Int64(clamping: emptied)) }
        if let schema, !schema.changes.isEmpty { json.add("schema", schema.changes) }
        if !links.isEmpty { json.add("links", links.map(LinkOutcome.record)) }
        if isDryRun { json.add("dryRun", true) }
        json.add("bytes", Int64(clamping: bytes))
        json.add("seconds", nanoseconds: nanoseconds)
        return json.text + "\n"
    }
}
