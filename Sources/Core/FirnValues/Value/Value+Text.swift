extension Value: CustomStringConvertible {
    /// The text in errors, plans and tables: plain for scalars, JSON-like for collections.
    ///
    /// A string is quoted only inside a collection.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .float(let value): value.description
        case .double(let value): value.description
        case .string(let value): value
        case .data(let value): "\(value.count) bytes"
        case .date(let value): value.description
        case .decimal128(let value): value.description
        case .objectID(let value): value.description
        case .uuid(let value): value.description
        case .link(let value): "\(value.rowID.rawValue)"
        case .list(let values), .set(let values):
            "[" + values.map(\.quoted).joined(separator: ", ") + "]"
        case .map(let values):
            "{"
                + Value.pairs(values)
                .map { "\(Value.string($0.key).quoted): \($0.value.quoted)" }
                .joined(separator: ", ") + "}"
        }
    }

    /// The text of a literal in the query language: strings in double quotes with escapes.
    public var quoted: String {
        guard case .string(let text) = self else { return description }
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\t": literal += "\\t"
            case "\r": literal += "\\r"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
