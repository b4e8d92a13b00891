package import FirnQuery

extension Diagnostic {
    /// A query text that is wrong.
    ///
    /// - Parameters:
    ///   - text: the whole text that the ranges of the error refer to.
    ///   - file: the database.
    package init(_ error: QueryError, text: String, file: String?) {
        self.init(Diagnostic.slug(error.code), error.message)
        self.file = file
        position = Diagnostic.position(of: error.range, in: text)
        suggestions = error.suggestions
        details = QueryCaret.lines(for: error, in: text) + error.notes
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
        }
    }

    /// Line and column, both from 1, of UTF-8 offsets.
    static func position(of range: Range<Int>, in text: String) -> Position {
        let utf8 = text.utf8
        let start = min(max(0, range.lowerBound), utf8.count)
        let end = min(max(start, range.upperBound), utf8.count)
        let before = utf8.prefix(start)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { before.index(after: $0) }
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let inLine = before[(lineStart ?? before.startIndex)...]
        let marked = utf8.dropFirst(start).prefix(end - start)
        return Position(
            line: UInt64(line), column: characters(inLine) + 1, length: max(1, characters(marked)))
    }

    private static func characters(_ utf8: some Sequence<UInt8>) -> Int {
        String(decoding: Array(utf8), as: UTF8.self).count
    }
}
