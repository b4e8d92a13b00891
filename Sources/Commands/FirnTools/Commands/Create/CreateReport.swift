import FirnEngine
import FirnFormats
import FirnValues

/// The result of `create`.
struct CreateReport {
    struct Class {
        let name: String
        let propertyCount: Int
        let objectCount: UInt64
        var isEmbedded = false
    }

    let file: String
    let version: LSN
    let classes: [Class]
    let links: [LinkOutcome]
    let bytes: UInt64
    let nanoseconds: UInt64
    /// The number of records that were skipped.
    var rejected: UInt64 = 0
    /// Whether a matching database already existed.
    var isSkipped = false

    var text: String {
        if isSkipped {
            return "\(SafeText.escaping(file)) already exists with these classes, version "
                + "\(version.rawValue)\n"
        }
        let classes = classes.map { item in
            "\(SafeText.escaping(item.name)) (\(Formatting.count(UInt64(item.propertyCount), "property")), "
                + "\(Formatting.count(item.objectCount, "object")))"
        }
        return "created \(SafeText.escaping(file)): "
            + (classes.isEmpty ? "no classes" : classes.joined(separator: ", "))
            + ", version \(version.rawValue), \(Formatting.bytes(bytes))"
            + (rejected > 0 ? ", \(Formatting.count(rejected, "record")) rejected" : "") + "\n"
    }

    var json: String {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "create")
        json.add("file", file)
        if isSkipped { json.add("skipped", true) }
        json.add("version", Int64(clamping: version.rawValue))
        json.add(
            "classes",
            classes.map { item in
                var json = JSONObject()
                json.add("name", item.name)
                json.add("properties", Int64(item.propertyCount))
                json.add("objects", Int64(clamping: item.objectCount))
                return json
            })
        if !links.isEmpty { json.add("links", links.map(LinkOutcome.record)) }
        if rejected > 0 { json.add("rejected", Int64(clamping: rejected)) }
        json.add("bytes", Int64(clamping: bytes))
        json.add("seconds", nanoseconds: nanoseconds)
        return json.text + "\n"
    }
}

extension LinkOutcome {
    /// Returns the outcome as a member of the report.
    static func record(_ outcome: LinkOutcome) -> JSONObject {
        var json = JSONObject()
        json.add("class", outcome.className)
        json.add("property", outcome.property)
        json.add("linked", Int64(clamping: outcome.linked))
        json.add("unmatched", Int64(clamping: outcome.unmatched))
        return json
    }
}
