import FirnValues

/// The stages that turn values into columns, and columns into values.
extension Parser {
    /// Parses `rows; column; items`, `column; items`, or the `column` of a group.
    mutating func parsePivot() throws(QueryError) -> PivotClause {
        var rows: [ProjectionItem] = []
        let sectionCount = sectionCount()
        if sectionCount > 2 {
            repeat { rows.append(try parseGroupKey()) } while skip(.comma)
            try expect(.semicolon, "between the rows and the column of a pivot")
        }
        let (column, values) = try parsePivotColumn()
        guard sectionCount > 1 else {
            return PivotClause(group: nil, column: column, values: values)
        }
        guard skip(.semicolon) else {
            throw unexpected(
                "\";\" between the column and the values of a pivot",
                hint: "such as pivot(city; year; @count); one property becomes columns")
        }
        let items = try parseItems(inGroup: true)
        return PivotClause(
            group: PivotClause.Group(rows: rows, items: items), column: column, values: values)
    }

    /// Returns the number of parts into which semicolons divide the content of the open
    /// parentheses.
    private func sectionCount() -> Int {
        var depth = 0
        var count = 1
        for distance in 0... {
            switch peek(distance).kind {
            case .symbol(.leftParenthesis), .symbol(.leftBrace), .symbol(.leftBracket): depth += 1
            case .symbol(.rightParenthesis), .symbol(.rightBrace), .symbol(.rightBracket):
                depth -= 1
                if depth < 0 { return count }
            case .symbol(.semicolon) where depth == 0: count += 1
            case .end: return count
            default: break
            }
        }
        return count
    }

    /// Parses `column` or `column IN {values}`, each optionally with a name.
    private mutating func parsePivotColumn() throws(QueryError) -> (ProjectionItem, [Expression]?) {
        let start = peek().range
        var alias: String?
        if isSymbol(.assign, 1), let name = nameHere() {
            alias = name
            advance(2)
        }
        var expression = try parseValueOrCondition()
        var values: [Expression]?
        if case .condition(.comparison(let comparison)) = expression,
            comparison.operator == .oneOf
        {
            guard case .list(let elements, _) = comparison.right, !elements.isEmpty else {
                throw QueryError(
                    .syntax, "IN needs the values that become columns",
                    at: comparison.right.range.bytes, hint: "such as IN {1, 2}")
            }
            expression = comparison.left
            values = elements
        }
        if alias == nil, skipKeyword("AS") {
            note(.newName)
            alias = try parseName("a name after AS")
        }
        let item = ProjectionItem(expression: expression, alias: alias, range: range(from: start))
        return (item, values)
    }

    /// Parses `columns` or `name, value; columns` as the equivalent `each`.
    ///
    ///     unpivot(month, sales; jan, feb)    each({"jan", "feb"} AS month, {jan, feb} AS sales)
    mutating func parseUnpivot() throws(QueryError) -> Stage.Kind {
        let start = peek().range
        var names = ["name", "value"]
        if sectionCount() > 1 {
            note(.newName)
            names = [try parseName("a name for the names of the columns")]
            try expect(.comma, "between the two names")
            names.append(try parseName("a name for the values"))
            try expect(.semicolon, "after the two names")
        }
        let items = try parseItems(inGroup: false)
        let range = range(from: start)
        var labels: [Expression] = []
        for item in items {
            guard item.excluded == nil else {
                throw QueryError(
                    .syntax, "unpivot names the columns", at: item.range.bytes,
                    hint: "such as unpivot(jan, feb)")
            }
            labels.append(.literal(.value(.string(item.alias ?? typed(item.range))), item.range))
        }
        let lists = [Expression.list(labels, range), .list(items.map(\.expression), range)]
        return .each(
            zip(names, lists).map { ProjectionItem(expression: $1, alias: $0, range: range) },
            keepsEmpty: false)
    }
}
