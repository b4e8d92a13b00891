import FirnValues

/// The format of errors on standard error.
package enum ErrorStyle: String, Sendable, CaseIterable {
    case human
    case json
}

extension Diagnostic {
    /// Returns the text for standard error, which ends with a line feed.
    ///
    /// - Parameter columns: the maximum width of a line for people; `nil` for any width.
    package func rendered(_ style: ErrorStyle, columns: Int? = nil) -> String {
        switch style {
        case .human: renderedForPeople(columns)
        // Escapes the JSON, so that it is harmless on a terminal too.
        case .json: TerminalSafeSink.escaping(json.text) + "\n"
        }
    }

    private func renderedForPeople(_ columns: Int?) -> String {
        var lines = ["error: \(SafeText.escaping(message))"]
        var rest = details[...]
        while let detail = rest.popFirst() {
            let line = "  " + SafeText.escaping(detail)
            guard let next = rest.first, let caret = CaretLine(next), let columns else {
                lines.append(line)
                continue
            }
            rest.removeFirst()
            lines += caret.lines(below: line, columns: columns)
        }
        if let remedy { lines.append("  \(SafeText.escaping(remedy))") }
        return WrappedText.wrapping(lines.joined(separator: "\n"), columns: columns) + "\n"
    }

    /// The error as one JSON object.
    package var json: JSONObject {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "error")
        json.add("code", slug.rawValue)
        json.add("exit", Int64(status.rawValue))
        json.add("retryable", status.isRetryable)
        json.add("message", message)
        addDetails(to: &json)
        return json
    }

    /// Adds the members for an error document of another standard.
    package func addMembers(to json: inout JSONObject) {
        json.add("code", slug.rawValue)
        json.add("retryable", status.isRetryable)
        addDetails(to: &json)
    }

    private func addDetails(to json: inout JSONObject) {
        if let position {
            var at = JSONObject()
            at.add("line", Int64(clamping: position.line))
            if let column = position.column { at.add("column", Int64(column)) }
            if let length = position.length { at.add("length", Int64(length)) }
            json.add("at", at)
        }
        if let property { json.add("property", property) }
        if let value { json.add("value", value) }
        if let hint { json.add("hint", hint) }
        if !suggestions.isEmpty { json.add("suggest", suggestions) }
        if let remedy { json.add("remedy", remedy) }
        if let file { json.add("file", file) }
    }
}
