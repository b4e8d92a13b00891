package import FirnQuery

extension Diagnostic {
    /// Reports an invalid query.
    ///
    /// - Parameters:
    ///   - text: the whole text that the ranges of the error refer to.
    ///   - file: the database.
    package init(_ error: QueryError, text: String, file: String?) {
        self.init(Diagnostic.slug(error.code), error.message)
        self.file = file
        let place = error.position(in: text)
        position = Position(
            line: UInt64(clamping: place.line), column: place.column, length: place.length)
        suggestions = error.suggestions
        // All details are indented by two spaces, which are removed here.
        details = error.render(source: text).map { String($0.dropFirst(2)) }
    }

    private static func slug(_ code: QueryError.Code) -> Slug {
        switch code {
        case .syntax: .querySyntax
        case .unknownClass: .queryUnknownClass
        case .unknownProperty: .queryUnknownProperty
        case .type: .queryType
        case .missingParameter: .queryMissingParameter
        case .limit: .queryLimit
        case .usage: .usageQuery
        case .value: .writeValue
        }
    }
}
