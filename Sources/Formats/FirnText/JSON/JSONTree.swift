import FirnValues

/// A value of a JSON text, with its position.
///
/// Numbers keep their text, because only the consumer knows whether 1e400 or 2^63 is too large.
/// Objects keep their members in the order of the text.
package struct JSONTree: Sendable {
    package enum Content: Sendable {
        case null
        case bool(Bool)
        /// The text of a number according to RFC 8259.
        case number(String)
        case string(String)
        case array([JSONTree])
        /// The members, whose names are unique.
        case object([Member])
    }

    package struct Member: Sendable {
        package let name: String
        package let value: JSONTree

        package init(name: String, value: JSONTree) {
            self.name = name
            self.value = value
        }
    }

    package let content: Content
    package let position: TextPosition

    package init(_ content: Content, at position: TextPosition) {
        self.content = content
        self.position = position
    }

    /// The name of this kind of value in messages.
    package var kindName: String {
        switch content {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value of the member of that name, if this is an object with such a member.
    package subscript(name: String) -> JSONTree? {
        guard case .object(let members) = content else { return nil }
        // Names are compared by code points; String considers composed and decomposed letters
        // equal.
        return members.first { $0.name == name }?.value
    }
}

extension TextBuffer {
    /// Appends a tree without white space.
    package mutating func append(json tree: JSONTree) {
        switch tree.content {
        case .null: append("null")
        case .bool(let value): value ? append("true") : append("false")
        case .number(let text): append(string: text)
        case .string(let text): append(jsonString: text)
        case .array(let elements):
            append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(json: element)
            }
            append(UInt8(ascii: "]"))
        case .object(let members):
            append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(jsonString: member.name)
                append(UInt8(ascii: ":"))
                append(json: member.value)
            }
            append(UInt8(ascii: "}"))
        }
    }
}
