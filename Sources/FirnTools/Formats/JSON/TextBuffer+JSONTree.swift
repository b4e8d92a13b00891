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
