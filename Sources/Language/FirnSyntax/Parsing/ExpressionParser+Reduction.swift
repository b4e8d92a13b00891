import FirnValues

extension ExpressionParser {
    /// Applies the operators on top that bind tighter, at most down to the innermost opening.
    mutating func reduce(tighterThan precedence: Int, _ parser: inout Parser) throws(QueryError) {
        while let top = entries.last, top.operation.precedence > precedence {
            guard let entry = popEntry() else { return }
            try apply(entry, &parser)
        }
    }

    private mutating func apply(_ entry: Entry, _ parser: inout Parser) throws(QueryError) {
        switch entry.operation {
        case .or, .and: try applyLogic(entry, &parser)
        case .not:
            guard let operand = operands.popLast() else { return }
            let predicate = try condition(operand, &parser)
            operands.append(.predicate(.not(predicate, entry.range.to(predicate.range))))
        case .compare(let comparison, let options, let negated):
            try applyComparison(comparison, options, negated: negated, entry.range, &parser)
        case .quantify(let quantifier):
            guard let operand = operands.popLast() else { return }
            let expression = try value(operand)
            let range = entry.range.to(expression.range)
            operands.append(.expression(.quantified(quantifier, expression, range)))
        case .additive, .multiplicative: try applyArithmetic(entry)
        case .negate:
            guard let operand = operands.popLast() else { return }
            let expression = try value(operand)
            let range = entry.range.to(expression.range)
            operands.append(.expression(.negation(expression, range)))
        case .open: break
        }
    }

    private mutating func popOperands(_ count: Int) -> [Operand] {
        let popped = Array(operands.suffix(count))
        operands.removeLast(popped.count)
        return popped
    }

    private mutating func applyLogic(_ entry: Entry, _ parser: inout Parser) throws(QueryError) {
        var predicates: [Predicate] = []
        for operand in popOperands(entry.chainLength + 1) {
            predicates.append(try condition(operand, &parser))
        }
        guard let first = predicates.first, let last = predicates.last else { return }
        let range = first.range.to(last.range)
        if case .and = entry.operation {
            operands.append(.predicate(.and(predicates, range)))
        } else {
            operands.append(.predicate(.or(predicates, range)))
        }
    }

    private mutating func applyArithmetic(_ entry: Entry) throws(QueryError) {
        let popped = popOperands(entry.terms.count + 1)
        guard let first = popped.first else { return }
        var terms: [ArithmeticTerm] = []
        for (term, operand) in zip(entry.terms, popped.dropFirst()) {
            terms.append(
                ArithmeticTerm(
                    operator: term.operator, operatorRange: term.range,
                    operand: try value(operand)))
        }
        operands.append(.expression(.arithmetic(try value(first), terms)))
    }

    private mutating func applyComparison(
        _ comparison: Comparison.Operator, _ options: Comparison.Options, negated: Bool,
        _ range: SourceRange, _ parser: inout Parser
    ) throws(QueryError) {
        let sides = popOperands(2)
        guard let left = sides.first, let right = sides.last else { return }
        if case .predicate(let predicate) = left, case .comparison(let first) = predicate {
            throw QueryError(
                .syntax, "comparisons cannot be chained", at: range.bytes,
                hint: parser.nameHint(ofOperator: first.operatorRange)
                    ?? "join two comparisons with AND")
        }
        let node = Predicate.comparison(
            Comparison(
                left: try value(left), operator: comparison, options: options,
                right: try value(right), operatorRange: range))
        try parser.countTerm(node.range)
        operands.append(.predicate(negated ? .not(node, node.range) : node))
    }

    // MARK: Kinds of operands

    /// Returns the operand as a condition: the condition itself, or a bare property.
    func condition(_ operand: Operand, _ parser: inout Parser) throws(QueryError) -> Predicate {
        switch operand {
        case .predicate(let predicate): return predicate
        case .expression(.path(let path)):
            try parser.countTerm(path.range)
            return .property(path)
        case .expression(let expression):
            var hint: String?
            if case .literal(.value(.bool(let value)), _) = expression {
                hint = value ? "use TRUEPREDICATE" : "use FALSEPREDICATE"
            }
            if case .call(let name, let arguments, _) = expression {
                hint = parser.aggregateHint(name, arguments)
            }
            throw QueryError(
                .syntax, "this value is not compared with anything", at: expression.range.bytes,
                hint: hint ?? parser.loneValueHint(expression.range))
        }
    }

    /// Returns the operand as a value.
    func value(_ operand: Operand) throws(QueryError) -> Expression {
        switch operand {
        case .expression(let expression): return expression
        case .predicate(let predicate):
            throw QueryError(
                .syntax, "a value is needed here, not a condition", at: predicate.range.bytes)
        }
    }

    // MARK: Closing symbols

    /// Completes the innermost opening at its closing symbol.
    mutating func close(_ parser: inout Parser) throws(QueryError) {
        try reduce(tighterThan: 0, &parser)
        guard let entry = popEntry(), case .open(let opening) = entry.operation else { return }
        parser.advance()
        let range = parser.range(from: entry.range)
        switch opening {
        case .group: break
        case .list(let closing):
            let elements = try popElements(of: entry)
            operands.append(
                .expression(
                    entry.mapKeys.isEmpty
                        ? list(elements, closing, range)
                        : .map(keys: entry.mapKeys, values: elements, range)))
        case .call(let name):
            let elements = popArguments(of: entry)
            operands.append(.expression(try call(name, elements, range)))
        case .aggregate(let name, let path):
            var keys: [Expression] = []
            if let base = entry.keysBase {
                keys = popOperands(operands.count - base).map(valueOrCondition)
            }
            var condition: Predicate?
            if entry.clauseBase != nil, let operand = operands.popLast() {
                condition = try self.condition(operand, &parser)
            }
            let call = AggregateCall(
                name: name, path: path, arguments: popArguments(of: entry), condition: condition,
                keys: keys, range: range)
            operands.append(.expression(.aggregate(call)))
        case .subquery(let path, let variable, let variableRange):
            _ = parser.cursor?.subqueries.popLast()
            guard let operand = operands.popLast() else { return }
            let predicate = try condition(operand, &parser)
            guard parser.isSymbol(.dot) else {
                throw parser.unexpected(
                    "\".\" and @count after the subquery", hint: "write SUBQUERY(...).@count")
            }
            parser.advance()
            guard [.attribute("@count"), .attribute("@size")].contains(parser.peek().kind) else {
                throw parser.unexpected("@count after the subquery")
            }
            parser.advance()
            operands.append(
                .expression(
                    .subquery(
                        Subquery(
                            path: path, variable: variable, variableRange: variableRange,
                            predicate: predicate,
                            range: parser.range(from: entry.range)))))
        }
    }

    private mutating func popElements(of entry: Entry) throws(QueryError) -> [Expression] {
        var elements: [Expression] = []
        for operand in popOperands(operands.count - entry.operandBase) {
            elements.append(try value(operand))
        }
        return elements
    }

    /// Pops the arguments of a call, which can be conditions.
    private mutating func popArguments(of entry: Entry) -> [Expression] {
        popOperands(operands.count - entry.operandBase).map(valueOrCondition)
    }

    /// Returns the operand as a value; a condition becomes its truth.
    func valueOrCondition(_ operand: Operand) -> Expression {
        switch operand {
        case .expression(let expression): expression
        case .predicate(let predicate): .condition(predicate)
        }
    }

    /// Creates a list.
    ///
    /// After IN, parentheses around a single expression other than a literal have no effect.
    private func list(
        _ elements: [Expression], _ closing: Token.Symbol, _ range: SourceRange
    ) -> Expression {
        if closing == .rightParenthesis, elements.count == 1, let only = elements.first {
            if case .literal = only { return .list(elements, range) }
            return only
        }
        return .list(elements, range)
    }

    /// Creates a call, or a literal for `uuid("...")`, `oid("...")`, `decimal("...")` and
    /// `bin("...")`.
    private func call(
        _ name: String, _ arguments: [Expression], _ range: SourceRange
    ) throws(QueryError) -> Expression {
        if arguments.count == 1, name.lowercased() == "decimal",
            case .literal(.number(let number), _) = arguments[0], let decimal = number.decimal
        {
            return .literal(.value(.decimal128(decimal)), range)
        }
        guard arguments.count == 1, case .literal(.value(let argument), _) = arguments[0] else {
            return .call(name, arguments, range)
        }
        if ["bin", "binary"].contains(name.lowercased()), let bytes = bytes(argument) {
            return .literal(.value(.data(bytes)), range)
        }
        guard case .string(let text) = argument else { return .call(name, arguments, range) }
        switch name.lowercased() {
        case "uuid":
            guard let uuid = UUID(text) else {
                throw QueryError(.syntax, "this is not a UUID", at: arguments[0].range.bytes)
            }
            return .literal(.value(.uuid(uuid)), range)
        case "oid":
            guard let objectID = ObjectID(text) else {
                throw QueryError(.syntax, "this is not an ObjectId", at: arguments[0].range.bytes)
            }
            return .literal(.value(.objectID(objectID)), range)
        case "decimal":
            guard let decimal = Decimal128(text) else {
                throw QueryError(
                    .syntax, "this is not a Decimal128", at: arguments[0].range.bytes)
            }
            return .literal(.value(.decimal128(decimal)), range)
        default: return .call(name, arguments, range)
        }
    }

    /// Returns the content of `bin("...")` or `bin(B64"...")`.
    private func bytes(_ argument: Value) -> [UInt8]? {
        switch argument {
        case .string(let text): Array(text.utf8)
        case .data(let bytes): bytes
        default: nil
        }
    }
}
