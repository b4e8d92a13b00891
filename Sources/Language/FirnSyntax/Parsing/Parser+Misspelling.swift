import FirnValues

/// Recognizes misspelled words of the language where the grammar expects something else.
extension Parser {
    /// The stages that can be run, as written.
    private static let stages: TextMap = [
        "SORT": "SORT(...)", "DISTINCT": "DISTINCT(...)", "LIMIT": "LIMIT(...)",
        "SKIP": "SKIP(...)", "SELECT": "select(...)", "PROJECT": "project(...)",
        "GROUP": "group(...)", "EACH": "each(...)", "HIST": "hist(...)", "BAR": "bar(...)",
        "SPARK": "spark(...)",
        "COUNT": "count", "EXISTS": "exists", "FIRST": "first",
        "LAST": "last", "EXPLAIN": "explain", "WHERE": "where", "SET": "set", "DELETE": "delete",
    ]
    private static let operators = [
        "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "IN", "BETWEEN", "AND", "OR",
    ]
    /// The minimum length of a word, because any word of two letters is one edit away from `IN`.
    private static let lettersMin = 3

    /// Returns the one-word stages that resemble a word, nearest first.
    package static func bareStages(near word: String) -> [String] {
        near(word, stages.keys.filter(Keywords.bareStages.contains)).map { $0.lowercased() }
    }

    private static func near(_ word: String, _ words: [String]) -> [String] {
        // A correctly spelled word is wrong for another reason.
        guard word.count >= lettersMin, !words.contains(word.uppercased()) else { return [] }
        return NearestNames.find(word, among: words)
    }

    /// Returns the error for `srot(age)` where a condition or a stage begins; `nil` for calls of
    /// functions.
    func misspeltStage() -> QueryError? {
        guard cursor == nil, case .word(let word) = peek().kind, isSymbol(.leftParenthesis, 1),
            ScalarFunction(rawValue: word.lowercased()) == nil
        else { return nil }
        if let elsewhere = stageElsewhere(word) { return elsewhere }
        guard let found = stage(near: word, Parser.stages.filter { $0.value.hasSuffix("(...)") })
        else { return nil }
        return QueryError(
            .syntax, "there is no stage \"\(word.shortened)\"", at: peek().range.bytes,
            hint: found.hint, suggestions: found.names)
    }

    /// Returns the error for a text that continues after a complete condition.
    ///
    /// The result is `nil` unless a word there or before it resembles an operator or a stage.
    func misspeltAfterCondition(_ expectation: String) -> QueryError? {
        if case .word(let word) = peek().kind {
            let stages = Parser.stages.filter { $0.value.hasSuffix("(...)") }
            if isSymbol(.leftParenthesis, 1), let found = stage(near: word, stages) {
                return unexpected(expectation, hint: found.hint, suggestions: found.names)
            }
            if let error = misspeltOperator(expectation) { return error }
        }
        guard case .word(let word) = previous.kind else { return nil }
        let before = position - 2
        let beginsStage =
            before < 0 || tokens[before].kind == .symbol(.pipe)
            || (before == 0 && tokens[before].isWordOrName)
        if beginsStage, let found = stage(near: word, Parser.stages) {
            return QueryError(
                .syntax, "there is no stage \"\(word.shortened)\"", at: previous.range.bytes,
                hint: found.hint, suggestions: found.names)
        }
        var earlier = self
        earlier.stepBack()
        return before >= 0 ? earlier.misspeltOperator(expectation) : nil
    }

    /// Returns the error for a word that resembles an operator.
    func misspeltOperator(_ expectation: String) -> QueryError? {
        guard case .word(let word) = peek().kind else { return nil }
        let found = Parser.near(word, Parser.operators)
        guard let first = found.first else { return nil }
        return unexpected(expectation, hint: "did you mean \"\(first)\"?", suggestions: found)
    }

    private func stage(
        near word: String, _ stages: TextMap<String>
    ) -> (hint: String, names: [String])? {
        let found = Parser.near(word, Array(stages.keys)).compactMap { stages[$0] }
        guard let first = found.first else { return nil }
        return ("did you mean \"\(first)\"?", found.map { $0.replacing("(...)", with: "") })
    }
}

extension Token {
    fileprivate var isWordOrName: Bool {
        switch kind {
        case .word, .name: true
        default: false
        }
    }
}
