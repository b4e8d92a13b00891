import FirnValues

/// The format of errors on standard error.
package enum ErrorStyle: String, Sendable, CaseIterable {
    case human
    case json
}

extension Diagnostic {
    /// Returns the text for standard error, which ends with a line feed.
    package func rendered(_ style: ErrorStyle) -> String {
        switch style {
        case .human: renderedForPeople
        // Escapes the JSON, so that it is harmless on a terminal too.
        case .json: TerminalSafeSink.escaping(json.text) + "\n"
        }
    }

    private var renderedForPeople: String {
        var text = "error: \(SafeText.escaping(message))\n"
        for detail in details { text += "  \(SafeText.escaping(detail))\n" }
        if let remedy { text += "  \(SafeText.escaping(remedy))\n" }
        return text
    }

    /// The error as one JSON object.
    var json: JSONObject {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "error")
        json.add("code", slug.rawValue)
        json.add("exit", Int64(status.rawValue))
        json.add("retryable", status.isRetryable)
        json.add("message", message)
        if let position {
            var at = JSONObject()
            at.add("line", Int64(clamping: position.line))
            if let column = position.column { at.add("column", Int64(column)) }
            if let length = position.length { at.add("length", Int64(length)) }
            json.add("at", at)
        }
        if let property { json.add("property", property) }
        if let value { json.add("value", value) }
        if !suggestions.isEmpty { json.add("suggest", suggestions) }
        if let remedy { json.add("remedy", remedy) }
        if let file { json.add("file", file) }
        return json
    }
}
