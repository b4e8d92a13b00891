/// A value of a JSON text, with the place that it stands at.
///
/// Numbers keep their text, because only the consumer knows whether 1e400 or 2^63 is too large;
/// objects keep their members in the order of the text.
package struct JSONTree: Sendable {
    package enum Content: Sendable {
        case null
        case bool(Bool)
        /// The text of a number as RFC 8259 has it.
        case number(String)
        case string(String)
        case array([JSONTree])
        /// No name occurs twice.
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
    package let place: JSONPlace

    package init(_ content: Content, at place: JSONPlace) {
        self.content = content
        self.place = place
    }

    /// What messages call this kind of value.
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

    /// The value of the member of that name, if this is an object that has one.
    package subscript(name: String) -> JSONTree? {
        guard case .object(let members) = content else { return nil }
        // Names compare by their code points: String takes composed letters for decomposed ones.
        return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}

/// Where a value begins in its input.
package struct JSONPlace: Hashable, Sendable {
    /// Counted in bytes from 0.
    package let offset: UInt64
    /// Counted from 1.
    package let line: UInt64

    package init(offset: UInt64, line: UInt64) {
        self.offset = offset
        self.line = line
    }
}
