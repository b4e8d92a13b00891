import FirnValues

extension Statement {
    /// Parses the single statement of a text.
    ///
    /// A `;` may follow it.
    ///
    /// Several command line arguments form one text, joined by ` | `.
    ///
    /// - Complexity: O(length)
    package static func parse(
        _ text: String, entry: QueryEntry
    ) throws(QueryError) -> Statement {
        var parser = try Parser(text, entry: entry)
        let statement = try parser.parseStatement()
        while parser.skip(.semicolon) {}
        guard parser.peek().kind == .end else {
            throw parser.unexpected("one statement only")
        }
        return statement
    }
}

extension Parser {
    /// Parses `[source] [predicate] {descriptor} {stage}`.
    ///
    /// At least one of them is required.
    package mutating func parseStatement() throws(QueryError) -> Statement {
        let start = position
        do { return try parseParts() } catch {
            throw error.hint == nil ? hintingSQL(error, from: start) : error
        }
    }

    private mutating func parseParts() throws(QueryError) -> Statement {
        var stages: [Stage] = []
        let source = try parseSource()
        cursor?.source = source
        cursor?.stages = []
        if source == nil {
            guard !isEnd() else {
                throw unexpected(
                    "a class or a condition", hint: "begin with the name of a class")
            }
            try parseBody(into: &stages)
        } else if source?.kind != .lastResult || !isSymbol(.pipe) {
            let hasWhere = skipWhere()
            if hasWhere || !isEnd() { try parseCondition(into: &stages, isRequired: hasWhere) }
        }
        while isSymbol(.pipe) {
            if entry == .predicate {
                throw QueryError(
                    .usage, "a filter has no stages", at: peek().range.bytes,
                    hint: "use && for a second condition")
            }
            advance()
            try checkNothingFollows(stages.last)
            cursor?.stages = stages
            try parseBody(into: &stages)
        }
        guard isEnd() else { throw unexpectedAfterCondition() }
        return Statement(source: source, stages: stages)
    }

    /// Checks that `set`, `delete`, `to`, `save` and `!` end their pipeline.
    private func checkNothingFollows(_ stage: Stage?) throws(QueryError) {
        guard let stage else { return }
        switch stage.kind {
        case .set, .delete, .output, .save, .shell:
            throw QueryError(
                .syntax, "nothing can follow \"\(typed(stage.range).prefix(40))\"",
                at: peek().range.bytes)
        default: return
        }
    }

    // MARK: Source

    /// Parses the class or result that a statement starts with, if there is one.
    private mutating func parseSource() throws(QueryError) -> Source? {
        let token = peek()
        guard entry != .predicate else { return nil }
        if token.kind == .symbol(.pipe) {
            return Source(.lastResult, standsAlone: false, range: token.range)
        }
        if token.kind == .symbol(.colon) {
            advance()
            note(.savedResult)
            let name = try parseName("the name of a saved result")
            return Source(.saved(name), standsAlone: false, range: range(from: token.range))
        }
        guard let name = classNameHere() else { return nil }
        note(.source)
        advance()
        return Source(
            name == "_" ? .lastResult : .className(name), standsAlone: isEnd(), range: token.range)
    }

    /// Returns the class name that the statement starts with.
    ///
    /// It is a first word that is not followed by an operator or `.`, and that does not itself
    /// begin a condition, descriptor or stage.
    private func classNameHere() -> String? {
        switch peek().kind {
        case .name(let name): return isFollowedAsClass() ? name : nil
        case .word(let word):
            let keyword = word.uppercased()
            if Keywords.conditionStarts.contains(keyword) { return nil }
            let takesItems =
                Keywords.descriptors.contains(keyword) || Keywords.stagesWithItems.contains(keyword)
            if takesItems, isSymbol(.leftParenthesis, 1) { return nil }
            if Keywords.bareStages.contains(keyword), isEnd(1) { return nil }
            if startsMutation() { return nil }
            return isFollowedAsClass() ? word : nil
        default: return nil
        }
    }

    /// Returns whether the token after the first word permits the word to be a class.
    private func isFollowedAsClass() -> Bool {
        switch peek(1).kind {
        case .end, .name, .integer, .number, .string, .base64, .date, .duration, .argument,
            .placeholder,
            .pathPlaceholder, .attribute:
            return true
        case .word: return infixOperator(1) == nil
        case .symbol(.leftParenthesis): return !isAdjacent(0)
        case .symbol(.pipe), .symbol(.semicolon), .symbol(.not), .symbol(.leftBrace): return true
        case .symbol, .shellCommand: return false
        }
    }

    // MARK: Bodies

    /// Parses the text between two `|`.
    private mutating func parseBody(into stages: inout [Stage]) throws(QueryError) {
        guard !isEnd() else { throw unexpected("a condition or a stage") }
        if skipWhere() { return try parseCondition(into: &stages, isRequired: true) }
        if entry != .predicate, let stage = try parseStage() {
            stages.append(stage)
            return
        }
        try parseCondition(into: &stages, isRequired: false)
    }

    /// Skips WHERE, unless it is the name of a property.
    private mutating func skipWhere() -> Bool {
        guard keyword() == "WHERE", !isComparison(1), !isSymbol(.dot, 1) else { return false }
        advance()
        return true
    }

    /// Parses a condition followed by descriptors, or only descriptors.
    private mutating func parseCondition(
        into stages: inout [Stage], isRequired: Bool
    ) throws(QueryError) {
        if isRequired || !startsDescriptor() {
            if let misspelt = misspeltStage() { throw misspelt }
            let predicate = try parsePredicate()
            stages.append(Stage(.filter(predicate), range: predicate.range))
        }
        while startsDescriptor() { stages.append(try parseDescriptor()) }
    }

    /// Parses a condition.
    mutating func parsePredicate() throws(QueryError) -> Predicate {
        var expressions = ExpressionParser()
        return try expressions.parsePredicate(&self)
    }

    /// Parses a value, or a condition in its place.
    mutating func parseValueOrCondition() throws(QueryError) -> Expression {
        var expressions = ExpressionParser()
        return try expressions.parseValueOrCondition(&self)
    }

    /// Parses a value.
    package mutating func parseExpression() throws(QueryError) -> Expression {
        var expressions = ExpressionParser()
        return try expressions.parseExpression(&self)
    }
}
