import FirnValues

/// Recognizes the syntax of other languages where the grammar expects something else.
extension Parser {
    /// Returns the error for a text that continues after a complete condition.
    func unexpectedAfterCondition() -> QueryError {
        let expectation = "an operator, AND, OR, SORT or \"|\""
        if let hint = habitHint() { return unexpected(expectation, hint: hint) }
        if let misspelt = misspeltAfterCondition(expectation) { return misspelt }
        return unexpected(expectation, hint: splitNameHint())
    }

    private func habitHint() -> String? {
        if previous.isWord("IS") { return "write == nil or != nil" }
        if previous.isWord("ORDER"), keyword() == "BY" { return sortHint(1) }
        // `LIMIT 5` parses as a condition on a property of that name.
        if case .word(let typed) = previous.kind, case let word = typed.uppercased(),
            Keywords.descriptors.contains(word)
        {
            return descriptorHint(word, 0)
        }
        if ["SET", "UPDATE"].contains(where: previous.isWord), let property = argument(0) {
            return "objects are changed with | set \(property) = value"
        }
        if isSymbol(.leftParenthesis) { return callHint() }
        if let hint = countHint() { return hint }
        guard let word = keyword() else { return nil }
        if let hint = itemsHint(word) { return hint }
        if let comparison = Parser.comparisonsElsewhere[word] { return "write \(comparison)" }
        if word == "IS" { return "write == nil or != nil" }
        if word == "ORDER" { return descriptorHint("SORT", 1) }
        if startsDescriptor() || Keywords.bareStages.contains(word)
            || Keywords.stagesWithItems.contains(word)
        {
            return "put a | before it"
        }
        if Keywords.descriptors.contains(word) {
            return descriptorHint(word, 1)
        }
        return nil
    }

    /// The names of comparisons in other languages.
    private static let comparisonsElsewhere: TextMap = [
        "STARTSWITH": "BEGINSWITH", "HASPREFIX": "BEGINSWITH", "HASSUFFIX": "ENDSWITH",
        "CONTAINS": "CONTAINS", "BEGINSWITH": "BEGINSWITH", "ENDSWITH": "ENDSWITH",
        "ILIKE": "LIKE[c], where * matches any text and ? a character",
        "GLOB": "LIKE, where * matches any text and ? a character", "REGEXP": "MATCHES",
        "RLIKE": "MATCHES", "SIMILAR": "MATCHES", "EQUALS": "==",
    ]

    /// Returns a hint for a comparison or stage in call syntax: `name.contains("a")`,
    /// `count(Person)`.
    private func callHint() -> String? {
        guard case .word(let typed) = previous.kind else { return nil }
        let word = typed.uppercased()
        if position == 1, word == "COUNT", let name = argument(1) { return "write \(name) | count" }
        guard position > 1, tokens[position - 2].kind == .symbol(.dot) else { return nil }
        return Parser.comparisonsElsewhere[word].map {
            "write property \($0) \(argument(1) ?? "\"text\"")"
        }
    }

    /// Returns a hint for a number of rows in the syntax of other programs: `head 5`, `tail 5`.
    private func countHint() -> String? {
        guard case .word(let typed) = previous.kind, case .integer = peek().kind,
            let count = argument(0)
        else { return nil }
        switch typed.uppercased() {
        case "HEAD", "TAKE", "TOP", "FIRST": return "write LIMIT(\(count))"
        case "TAIL", "LAST": return "write SORT(property DESC) LIMIT(\(count))"
        case "OFFSET", "DROP": return "write SKIP(\(count))"
        default: return nil
        }
    }

    /// Returns a hint for a stage without its parentheses: `select name, age`, `group by city`.
    private func itemsHint(_ next: String) -> String? {
        guard case .word(let typed) = previous.kind,
            position < 2 || tokens[position - 2].kind == .symbol(.pipe)
        else { return nil }
        let first = argument(["BY", "ON"].contains(next) ? 1 : 0) ?? "property"
        switch typed.uppercased() {
        case "SELECT" where position > 1, "PROJECT":
            return "write \(typed.lowercased())(\(first), ...)"
        case "GROUP": return "write group(\(first); @count)"
        case "PIVOT" where position > 1: return "write pivot(rows; \(first); @count)"
        case "EACH", "EACHORNIL", "UNPIVOT", "HIST", "BAR", "SPARK":
            return "write \(typed)(\(first))"
        default: return nil
        }
    }

    /// Returns the hint for an operator that is a word, where a property with its name can be
    /// meant: `in - 1 == 0`; `nil` for a symbol.
    func nameHint(ofOperator range: SourceRange) -> String? {
        let word = typed(range)
        guard !word.isEmpty, word.allSatisfy(\.isLetter) else { return nil }
        return "a property called \(word) is `\(word)`"
    }

    /// Returns a hint at the probable meaning of a value in place of a condition.
    func loneValueHint(_ range: SourceRange) -> String? {
        guard
            let index = tokens.firstIndex(where: {
                $0.range.bytes.lowerBound == range.bytes.lowerBound
            })
        else { return nil }
        if tokens[index].isWord("SORT") || tokens[index].isWord("ORDER"),
            index + 2 < tokens.count, tokens[index + 1].kind == .symbol(.minus)
        {
            return "write SORT(\(typed(tokens[index + 2].range)) DESC)"
        }
        guard index > 2 else { return nil }
        if tokens[index - 1].isWord("AND"), tokens[index - 3].isWord("BETWEEN") {
            return "write BETWEEN {\(typed(tokens[index - 2].range)), \(typed(range))}"
        }
        if tokens[index - 1].isWord("OR") {
            let other = typed(tokens[index - 2].range)
            return "compare it as well, or write IN {\(other), \(typed(range))}"
        }
        return nil
    }

    /// Returns the error for a stage in call syntax that takes no parentheses: `set(age = 5)`,
    /// `delete()`.
    func parenthesesHabit(_ word: String) -> QueryError? {
        guard isSymbol(.leftParenthesis, 1) else { return nil }
        let hint: String
        switch word {
        case "SET": hint = "write set \(argument(2) ?? "property") = value"
        case "DELETE", "EXISTS", "DESCRIBE", "EXPLAIN", "OBSERVE":
            hint = "write \(word.lowercased())"
        case "COUNT" where isSymbol(.rightParenthesis, 2): hint = "write count"
        case "FIRST": hint = argument(2).map { "write LIMIT(\($0))" } ?? "write first"
        case "LAST":
            hint =
                argument(2).map { "write SORT(property DESC) LIMIT(\($0))" } ?? "write last"
        default: return nil
        }
        let range = peek().range.to(peek(1).range)
        return QueryError(
            .syntax, "\(word.lowercased()) takes no parentheses", at: range.bytes, hint: hint)
    }

    /// The stages of other languages in call syntax.
    private static let stagesElsewhere: TextMap = [
        "ORDER": "SORT", "ORDERBY": "SORT", "SORTBY": "SORT", "TOP": "LIMIT", "TAKE": "LIMIT",
        "HEAD": "LIMIT", "OFFSET": "SKIP", "UNIQUE": "DISTINCT",
    ]

    /// Returns the error for a stage of another language: `order(age)`, `filter(age > 3)`.
    func stageElsewhere(_ word: String) -> QueryError? {
        var hint = "write where (...)"
        if let name = Parser.stagesElsewhere[word.uppercased()] {
            hint = "write \(name)(\(argument(2) ?? "..."))"
        } else if word.uppercased() != "FILTER" {
            return nil
        }
        return QueryError(
            .syntax, "there is no stage \"\(word.shortened)\"", at: peek().range.bytes, hint: hint)
    }

    /// Returns a hint for a descriptor.
    ///
    /// - Parameter distance: the distance of the token after the word.
    private func descriptorHint(_ word: String, _ distance: Int) -> String {
        if word == "SORT" { return sortHint(keyword(distance) == "BY" ? distance + 1 : distance) }
        return "write \(word)(\(argument(distance) ?? "..."))"
    }

    /// Returns a hint for a sort.
    ///
    /// - Parameter distance: the distance of the property to sort by, if there is one.
    private func sortHint(_ distance: Int) -> String {
        guard let property = argument(distance) else { return "write SORT(property)" }
        let descends = ["DESC", "DESCENDING"].contains(keyword(distance + 1))
        return "write SORT(\(property)\(descends ? " DESC" : ""))"
    }

    /// Returns a name or number as written.
    private func argument(_ distance: Int) -> String? {
        switch peek(distance).kind {
        case .word, .name, .integer: typed(peek(distance).range)
        default: nil
        }
    }

    /// Returns a hint for two words before a comparison that may be the name of one property.
    private func splitNameHint() -> String? {
        guard case .word = previous.kind, case .word = peek().kind, isComparison(1) else {
            return nil
        }
        let name = typed(previous.range.to(peek().range))
        return "names with blanks stand in backquotes, `\(name)`; between conditions stands AND"
    }

    /// Adds a hint for `SELECT ...
    ///
    /// FROM ...`, `UPDATE ... SET ...` or `DELETE FROM ...`.
    ///
    /// - Parameter start: the index of the first token of the statement.
    func hintingSQL(_ error: QueryError, from start: Int) -> QueryError {
        if let hint = changeHint(from: start) { return error.hinting(hint) }
        if start + 3 < tokens.count, tokens[start].isWord("PIVOT"), tokens[start + 2].isWord("ON") {
            let (name, column) = (typed(tokens[start + 1].range), typed(tokens[start + 3].range))
            return error.hinting(
                "the class comes first: \(name) | pivot(rows; \(column); @count)")
        }
        guard tokens[start].isWord("SELECT"),
            let from = tokens[start...].firstIndex(where: { $0.isWord("FROM") }),
            from + 1 < tokens.count
        else { return error }
        var name = "Person"
        if case .word(let word) = tokens[from + 1].kind { name = word }
        return error.hinting("the class comes first: \(name) | select(...)")
    }

    private func changeHint(from start: Int) -> String? {
        guard start + 2 < tokens.count else { return nil }
        if tokens[start].isWord("UPDATE"), tokens[start + 2].isWord("SET") {
            return "the class comes first: \(typed(tokens[start + 1].range)) | set property = value"
        }
        if tokens[start].isWord("DELETE"), tokens[start + 1].isWord("FROM") {
            return "the class comes first: \(typed(tokens[start + 2].range)) | delete"
        }
        if tokens[start].isWord("INSERT"), tokens[start + 1].isWord("INTO") {
            let name = typed(tokens[start + 2].range)
            return "objects are inserted as JSON or CSV: firn write FILE -c \(name) INPUT, "
                + "or .insert \(name) {...} in the shell"
        }
        return nil
    }

    /// Returns a hint for writing `avg(age)` as a stage; `nil` for other calls.
    func aggregateHint(_ name: String, _ arguments: [Expression]) -> String? {
        guard let item = arguments.aggregateItem(name, typed) else { return nil }
        return item == "@count" ? "write | count" : "write select(\(item))"
    }
}

extension [Expression] {
    /// Returns the aggregate that a call such as `avg(age)` denotes in other languages: `@avg.age`.
    ///
    /// - Parameter typed: returns the text of a range.
    package func aggregateItem(_ name: String, _ typed: (SourceRange) -> String) -> String? {
        switch name.lowercased() {
        case "count": return "@count"
        case "sum", "avg", "min", "max":
            guard count == 1, case .path(let path) = self[0] else { return nil }
            return "@\(name.lowercased()).\(typed(path.range))"
        default: return nil
        }
    }
}
