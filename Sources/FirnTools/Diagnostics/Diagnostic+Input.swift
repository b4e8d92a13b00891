import FirnValues

extension Diagnostic {
    /// Reports malformed input.
    package init(_ error: InputError) {
        let name = SafeText.escaping(error.name)
        if let cause = error.cause {
            self.init(cause, "\(error.message) \(name)")
            file = error.name
            return
        }
        var place = name
        if let line = error.line { place += ":\(line)" }
        if let character = error.character { place += ":\(character)" }
        if let column = error.column { place += ", \(SafeText.escaping(column))" }
        self.init(Diagnostic.slug(error.code), "\(place): \(error.message)")
        file = error.name
        position = error.line.map { Position(line: $0, column: error.character) }
        property = error.column
        // At the end of the input, there is no text to show.
        if let excerpt = error.excerpt, !excerpt.allSatisfy(\.isWhitespace) {
            if error.column != nil { value = excerpt }
            details.append(excerpt)
        }
        if let offset = error.offset { details.append("at byte \(offset) of the input") }
        remedy = error.remedy
    }

    static func slug(_ code: InputError.Code) -> Slug {
        switch code {
        case .syntax: .inputSyntax
        case .encoding: .inputEncoding
        case .type: .writeType
        case .value: .writeValue
        case .missingValue: .writeMissingValue
        case .schema: .writeSchema
        case .missingKey: .writeMissingKey
        case .limit: .inputLimit
        case .unreadable: .inputUnreadable
        }
    }
}
