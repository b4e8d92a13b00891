import FirnText
import FirnValues

/// A small hand-written JSON object for reports and errors, never for rows.
package struct JSONObject {
    private var members: [String] = []

    package init() {}

    /// The object on one line.
    package var text: String { "{" + members.joined(separator: ",") + "}" }

    package mutating func add(_ name: String, _ value: String) {
        addRaw(name, JSONObject.string(value))
    }

    package mutating func add(_ name: String, _ value: Int64) { addRaw(name, String(value)) }

    package mutating func addNull(_ name: String) { addRaw(name, "null") }

    /// Adds a time in UTC, as ISO 8601.
    package mutating func add(_ name: String, momentSeconds seconds: Int64) {
        add(name, TextBuffer.moment(seconds))
    }

    /// Adds a fraction with two decimal places.
    package mutating func add(_ name: String, hundredths: Int64) {
        let digits = hundredths.magnitude % 100
        addRaw(
            name,
            "\(hundredths < 0 ? "-" : "")\(hundredths.magnitude / 100)."
                + "\(digits < 10 ? "0" : "")\(digits)")
    }

    package mutating func add(_ name: String, _ value: Bool) {
        addRaw(name, value ? "true" : "false")
    }

    package mutating func add(_ name: String, _ value: JSONObject) { addRaw(name, value.text) }

    package mutating func add(_ name: String, _ values: [String]) {
        addRaw(name, "[" + values.map(JSONObject.string).joined(separator: ",") + "]")
    }

    package mutating func add(_ name: String, _ values: [Int64]) {
        addRaw(name, "[" + values.map { String($0) }.joined(separator: ",") + "]")
    }

    package mutating func add(_ name: String, _ values: [JSONObject]) {
        addRaw(name, "[" + values.map(\.text).joined(separator: ",") + "]")
    }

    /// Adds seconds with at most three decimal places.
    package mutating func add(_ name: String, nanoseconds: UInt64) {
        var buffer = TextBuffer(capacity: 32)
        let milliseconds = nanoseconds / 1_000_000
        buffer.append(unsigned: milliseconds / 1000)
        buffer.append(UInt8(ascii: "."))
        buffer.append(unsigned: milliseconds % 1000, digits: 3)
        addRaw(name, String(decoding: buffer.bytes, as: UTF8.self))
    }

    /// Adds a value that is JSON already.
    package mutating func add(_ name: String, json: String) { addRaw(name, json) }

    private mutating func addRaw(_ name: String, _ json: String) {
        members.append(JSONObject.string(name) + ":" + json)
    }

    /// Returns a string with its quotes.
    private static func string(_ text: String) -> String {
        var buffer = TextBuffer(capacity: text.utf8.count + 16)
        buffer.append(jsonString: text)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}
