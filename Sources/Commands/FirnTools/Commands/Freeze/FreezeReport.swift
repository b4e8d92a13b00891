import FirnEngine
import FirnFormats
import FirnText
import FirnValues

/// The report of a new freeze, or of a copy of a version.
struct FreezeReport {
    let file: String
    let freeze: Freeze
    let objectCount: UInt64
    let heldByteCount: UInt64
    let nanoseconds: UInt64

    var text: String {
        var text = "froze version \(freeze.version.rawValue) of \(SafeText.escaping(file)) as "
        text += "\"\(SafeText.escaping(freeze.name))\": \(Formatting.count(objectCount, "object"))"
        if let expires = freeze.expiresSeconds { text += ", until \(TextBuffer.moment(expires))" }
        return text + "\n"
    }

    var json: String {
        var json = freeze.record
        json.add("file", file)
        json.add("objects", Int64(clamping: objectCount))
        json.add("bytes_held", Int64(clamping: heldByteCount))
        json.add("seconds", nanoseconds: nanoseconds)
        return json.text + "\n"
    }
}

extension Freeze {
    /// The common members of the records of a freeze.
    var record: JSONObject {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "freeze")
        json.add("name", name)
        json.add("version", Int64(clamping: version.rawValue))
        json.add("created", momentSeconds: createdSeconds)
        if let expiresSeconds {
            json.add("expires", momentSeconds: expiresSeconds)
        } else {
            json.addNull("expires")
        }
        json.add("note", note)
        return json
    }
}
