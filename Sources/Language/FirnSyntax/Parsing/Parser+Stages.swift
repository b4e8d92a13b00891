import FirnValues

extension Parser {
    /// Returns whether a descriptor such as `SORT(...)` starts at a distance.
    func startsDescriptor(_ distance: Int = 0) -> Bool {
        guard let word = keyword(distance) else { return false }
        return Keywords.descriptors.contains(word) && isSymbol(.leftParenthesis, distance + 1)
    }

    mutating func parseDescriptor() throws(QueryError) -> Stage {
        let start = peek().range
        let word = keyword()
        advance()
        try expect(.leftParenthesis, "after \(word ?? "")")
        let kind: Stage.Kind
        switch word {
        case "SORT": kind = .sort(try parseSortKeys())
        case "DISTINCT": kind = .distinct(try parseKeys("a property"))
        case "LIMIT":
            let count = try parseExpression()
            kind =
                skipKeyword("BY") ? .limitEach(count, try parseKeys("a property")) : .limit(count)
        default: kind = .skip(try parseExpression())
        }
        try expect(.rightParenthesis, "to close \(word ?? "")")
        return Stage(kind, range: range(from: start))
    }

    private mutating func parseSortKeys() throws(QueryError) -> [SortKey] {
        var keys: [SortKey] = []
        repeat {
            let expression = try parseKey("a property to sort by")
            let descending = ["DESC", "DESCENDING"].contains(keyword())
            if descending || ["ASC", "ASCENDING"].contains(keyword()) { advance() }
            keys.append(SortKey(expression: expression, descending: descending))
        } while skip(.comma)
        return keys
    }

    private mutating func parseKeys(_ role: String) throws(QueryError) -> [Expression] {
        var keys: [Expression] = []
        repeat { keys.append(try parseKey(role)) } while skip(.comma)
        return keys
    }

    /// Parses a path, even one that begins with a keyword, or any other value.
    private mutating func parseKey(_ role: String) throws(QueryError) -> Expression {
        switch peek().kind {
        case .word, .name, .attribute, .argument, .pathPlaceholder: break
        case .symbol(.minus), .symbol(.leftParenthesis), .symbol(.not), .integer, .number, .date,
            .string:
            return try parseValueOrCondition()
        default: throw unexpected(role)
        }
        var attempt = self
        if let path = try? attempt.parsePath(role), attempt.endsKey() {
            self = attempt
            return .path(path)
        }
        return try parseValueOrCondition()
    }

    private func endsKey() -> Bool {
        switch peek().kind {
        case .symbol(.comma), .symbol(.rightParenthesis), .symbol(.semicolon): true
        case .word(let word):
            ["AS", "ASC", "ASCENDING", "DESC", "DESCENDING"].contains(word.uppercased())
        default: false
        }
    }

    /// Parses a stage that is neither a condition nor a descriptor; `nil` if none starts here.
    mutating func parseStage() throws(QueryError) -> Stage? {
        let start = peek().range
        if case .shellCommand(let command) = peek().kind {
            advance()
            guard !command.isEmpty else {
                throw QueryError(
                    .syntax, "a command is missing after \"!\"", at: start.bytes,
                    hint: "such as | ! wc -l")
            }
            return Stage(.shell(command: command), range: start)
        }
        guard let word = keyword() else { return nil }
        if let error = parenthesesHabit(word) { throw error }
        let kind: Stage.Kind
        if isSymbol(.leftParenthesis, 1), Keywords.stagesWithItems.contains(word) {
            advance(2)
            kind = try parseItemStage(word)
            try expect(.rightParenthesis, "to close \(word.lowercased())")
        } else if isCountOfAll() {
            advance(4)
            kind = .count
        } else if let bare = bareStage(word) {
            advance()
            kind = bare
        } else if startsMutation() {
            advance()
            kind = .set(try parseAssignments())
        } else if let output = try parseOutput(word) {
            kind = output
        } else {
            return nil
        }
        let stage = Stage(kind, range: range(from: start))
        try checkAllowed(stage)
        return stage
    }

    /// Returns whether `count(*)` is here.
    func isCountOfAll() -> Bool {
        keyword() == "COUNT" && isSymbol(.leftParenthesis, 1) && isSymbol(.star, 2)
            && isSymbol(.rightParenthesis, 3)
    }

    /// Returns the stage of a word.
    ///
    /// A following operator makes the word a property.
    private func bareStage(_ word: String) -> Stage.Kind? {
        guard infixOperator(1) == nil, !isSymbol(.dot, 1), !isSymbol(.leftBracket, 1) else {
            return nil
        }
        switch word {
        case "COUNT": return .count
        case "EXISTS": return .exists
        case "FIRST": return .first
        case "LAST": return .last
        case "DESCRIBE": return .describe
        case "EXPLAIN": return .explain
        case "OBSERVE": return .observe
        case "DELETE": return .delete
        default: return nil
        }
    }

    private mutating func parseItemStage(_ word: String) throws(QueryError) -> Stage.Kind {
        switch word {
        case "GROUP":
            return try parseGroup()
        case "JOIN": return .join(try parseJoin())
        case "EACH", "EACHORNIL":
            let items = try parseItems(inGroup: false)
            if let all = items.first(where: { $0.excluded != nil }) {
                throw QueryError(
                    .syntax, "each names the collections", at: all.range.bytes,
                    hint: "such as each(tags); all columns stay anyway")
            }
            return .each(items, keepsEmpty: word == "EACHORNIL")
        case "PIVOT": return .pivot(try parsePivot())
        case "UNPIVOT": return try parseUnpivot()
        case "HIST":
            let path = try parsePath("a property")
            return .histogram(path, buckets: skip(.comma) ? try parseExpression() : nil)
        case "BAR": return .bar(try parsePath("a property"))
        case "SPARK": return .spark(try parsePath("a property"))
        default: return .project(try parseItems(inGroup: false))
        }
    }

    /// Parses `name = [ALL] Class; equalities`.
    private mutating func parseJoin() throws(QueryError) -> JoinClause {
        note(.newName)
        let name = try parseName("a name for the objects")
        try expect(.assign, "after the name of the objects")
        let findsAll = keyword() == "ALL" && nameHere(1) != nil
        if findsAll { advance() }
        let range = peek().range
        note(.source)
        let className = try parseName("a class")
        guard skip(.semicolon) else {
            throw unexpected(
                "\";\" between the class and the equalities of a join",
                hint: "such as join(p = Plane; tailnum == p.tailnum)")
        }
        var conditions: [Predicate] = []
        repeat {
            let predicate = try parsePredicate()
            if case .and(let operands, _) = predicate {
                conditions += operands
            } else {
                conditions.append(predicate)
            }
        } while skip(.comma)
        return JoinClause(
            name: name, className: className, classRange: range, findsAll: findsAll,
            conditions: conditions)
    }

    /// Parses `keys; items`.
    ///
    /// Without keys, all rows are one group.
    private mutating func parseGroup() throws(QueryError) -> Stage.Kind {
        var keys: [ProjectionItem] = []
        if !isSymbol(.semicolon) {
            repeat { keys.append(try parseGroupKey()) } while skip(.comma)
        }
        guard isSymbol(.semicolon) else {
            throw unexpected(
                "\";\" between the keys and the items of a group",
                hint: "such as group(city; @count)")
        }
        advance()
        let items = try parseItems(inGroup: true)
        return .group(keys, items)
    }

    /// Parses `key`, `key AS name` or `name = key`.
    mutating func parseGroupKey() throws(QueryError) -> ProjectionItem {
        let start = peek().range
        var alias: String?
        if isSymbol(.assign, 1), let name = nameHere() {
            alias = name
            advance(2)
        }
        let expression = try parseKey("a property")
        if alias == nil, skipKeyword("AS") {
            note(.newName)
            alias = try parseName("a name after AS")
        }
        return ProjectionItem(expression: expression, alias: alias, range: range(from: start))
    }

    mutating func parseItems(inGroup: Bool) throws(QueryError) -> [ProjectionItem] {
        var items: [ProjectionItem] = []
        repeat { items.append(try parseItem(inGroup: inGroup)) } while skip(.comma)
        return items
    }

    /// Parses `expression`, `expression AS name` or `name = expression`.
    private mutating func parseItem(inGroup: Bool) throws(QueryError) -> ProjectionItem {
        if !inGroup, isSymbol(.star) { return try parseAllColumns() }
        let start = peek().range
        note { $0.beginItem(inGroup: inGroup) }
        var alias: String?
        if isSymbol(.assign, 1), let name = nameHere() {
            alias = name
            advance(2)
            note { $0.beginItem(inGroup: inGroup) }
        }
        let expression = try parseValueOrCondition()
        if alias == nil, skipKeyword("AS") {
            note(.newName)
            alias = try parseName("a name after AS")
        }
        return ProjectionItem(expression: expression, alias: alias, range: range(from: start))
    }

    /// Parses `*`, `* EXCEPT a, b` or `* EXCEPT (a, b)`.
    ///
    /// Without parentheses, the list ends before an item that is more than a name.
    private mutating func parseAllColumns() throws(QueryError) -> ProjectionItem {
        let start = peek().range
        advance()
        var excluded: [ProjectionItem.Excluded] = []
        if skipKeyword("EXCEPT") || skipKeyword("EXCLUDE") {
            let isClosed = skip(.leftParenthesis)
            repeat {
                let range = peek().range
                let name = try parseName("a column to leave out")
                excluded.append(ProjectionItem.Excluded(name: name, range: range))
            } while isSymbol(.comma) && (isClosed || isLoneName(1)) && skip(.comma)
            if isClosed { try expect(.rightParenthesis, "after the columns to leave out") }
        }
        return ProjectionItem(allBut: excluded, range: range(from: start))
    }

    /// Returns whether a name that is a whole item is at a distance.
    private func isLoneName(_ distance: Int) -> Bool {
        nameHere(distance) != nil
            && (isSymbol(.comma, distance + 1) || isSymbol(.rightParenthesis, distance + 1))
    }

    // MARK: Stages that change objects or store results

    /// Returns whether `set path = ...` starts here, rather than a condition on a property named
    /// set.
    func startsMutation() -> Bool {
        guard keyword() == "SET" else { return false }
        switch peek(1).kind {
        case .name, .pathPlaceholder: return true
        case .attribute: return isSymbol(.assign, 2)
        case .word: return infixOperator(1) == nil || isSymbol(.assign, 2)
        default: return false
        }
    }

    private mutating func parseAssignments() throws(QueryError) -> [Assignment] {
        var assignments: [Assignment] = []
        repeat {
            note { $0.isAssigned = true }
            let path = try parsePath("a property to set")
            try expect(.assign, "after the property to set")
            assignments.append(Assignment(path: path, expression: try parseValueOrCondition()))
        } while skip(.comma)
        return assignments
    }

    private mutating func parseOutput(_ word: String) throws(QueryError) -> Stage.Kind? {
        guard word == "TO" || word == "SAVE", nameHere(1) != nil, isEnd(2) else { return nil }
        advance()
        note(word == "TO" ? .format : .newName)
        let name = try parseName("a name")
        return word == "TO" ? .output(format: name) : .save(name: name)
    }

    private func checkAllowed(_ stage: Stage) throws(QueryError) {
        guard entry != .repl else { return }
        let range = stage.range.bytes
        switch stage.kind {
        case .set where entry != .statement, .delete where entry != .statement:
            let verb = stage.kind == .delete ? "delete" : "set"
            throw QueryError(
                .usage, "\"\(verb)\" changes the database, which a query never does", at: range,
                hint: "use firn write -x")
        case .output:
            throw QueryError(
                .usage, "\"to\" belongs to the interactive shell", at: range,
                hint: "use the option -f")
        case .save:
            throw QueryError(
                .usage, "\"save\" belongs to the interactive shell", at: range,
                hint: "use the option -o")
        default: return
        }
    }
}
