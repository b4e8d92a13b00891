import FirnValues

/// A statement of the interactive shell, divided into its source, its query and its ending.
///
/// The query is kept as text. A refinement is the text of the query that it refines, a `|`, and its
/// own text, so that a result can be queried again and errors show the whole query.
package struct ShellStatement: Hashable, Sendable {
    package enum Start: Hashable, Sendable {
        /// A class, or the default one.
        case objects
        /// The last result: `_`, or a leading `|`.
        case lastResult
        /// A saved result: `:name`.
        case saved(String)
    }

    package enum Ending: Hashable, Sendable {
        case rows
        /// `set` and `delete`, which ``query`` includes at its end.
        case change
        case observe
        case output(format: String)
        case save(name: String)
        case shell(command: String)
    }

    package let start: Start
    /// The pipeline without the reference to an earlier result and without ``ending``.
    ///
    /// It is empty if there is nothing else.
    package let query: String
    package let ending: Ending
    /// The whole text.
    package let text: String

    /// Parses the statements of a text, separated by `;`.
    ///
    /// - Throws: ``QueryError`` with a position in the text.
    /// - Complexity: O(length)
    package static func parse(_ text: String) throws(QueryError) -> [ShellStatement] {
        var parser = try Parser(text, entry: .repl)
        var statements: [ShellStatement] = []
        while parser.skip(.semicolon) {}
        while parser.peek().kind != .end {
            let first = parser.position
            let statement = try parser.parseStatement()
            statements.append(
                ShellStatement(statement, parser.tokens[first..<parser.position], parser))
            while parser.skip(.semicolon) {}
        }
        return statements
    }

    /// - Parameter tokens: the tokens of the statement.
    private init(_ statement: Statement, _ tokens: ArraySlice<Token>, _ parser: Parser) {
        var rest = tokens
        switch statement.source?.kind {
        case .lastResult:
            start = .lastResult
            rest = rest.dropFirst()
        case .saved(let name):
            start = .saved(name)
            rest = rest.dropFirst(2)
        case .className, nil: start = .objects
        }
        if start != .objects, rest.first?.kind == .symbol(.pipe) { rest = rest.dropFirst() }
        ending = statement.stages.last.map(Ending.init) ?? .rows
        if !ending.belongsToQuery, let last = statement.stages.last {
            rest = rest.prefix { $0.range.bytes.lowerBound < last.range.bytes.lowerBound }
            if rest.last?.kind == .symbol(.pipe) { rest = rest.dropLast() }
        }
        query = ShellStatement.text(of: rest, parser)
        text = ShellStatement.text(of: tokens, parser)
    }

    /// Returns the text from the first to the last token, without surrounding comments.
    private static func text(of tokens: ArraySlice<Token>, _ parser: Parser) -> String {
        guard let first = tokens.first, let last = tokens.last else { return "" }
        return parser.typed(first.range.to(last.range))
    }
}

extension ShellStatement.Ending {
    fileprivate init(_ stage: Stage) {
        self =
            switch stage.kind {
            case .set, .delete: .change
            case .observe: .observe
            case .output(let format): .output(format: format)
            case .save(let name): .save(name: name)
            case .shell(let command): .shell(command: command)
            default: .rows
            }
    }

    fileprivate var belongsToQuery: Bool { self == .rows || self == .change }
}
