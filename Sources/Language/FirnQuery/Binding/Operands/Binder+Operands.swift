import FirnEngine
import FirnSyntax
import FirnValues

extension Binder {
    /// Binds a side of a comparison, including its quantifier.
    func side(_ expression: Expression) throws(QueryError) -> QuantifiedOperand {
        guard case .quantified(let quantifier, let inner, let range) = expression else {
            return QuantifiedOperand(
                operand: try operand(expression), quantifier: nil, range: expression.range)
        }
        let operand = try operand(inner)
        switch operand {
        case .many, .elements, .collection, .list: break
        case .single(let computed) where computed.expression.elementPath != nil: break
        default:
            let word = quantifier.rawValue
            if case .argument(let name, _) = inner {
                throw typeError("\(word) needs a list, and $\(name.shortened) is none", range)
            }
            throw typeError("\(word) needs a collection, not \(describe(operand))", range)
        }
        return QuantifiedOperand(operand: operand, quantifier: quantifier, range: inner.range)
    }

    /// Binds an expression, and computes constants.
    ///
    /// The function recurses as deep as the text nests. It does no other work, because its frame is
    /// needed once per level.
    func operand(_ expression: Expression) throws(QueryError) -> Operand {
        if aggregateScope != nil, let operand = try scoped(expression) { return operand }
        if windowScope != nil, let operand = try windowed(expression) { return operand }
        var parts: [ListElement] = []
        for part in try self.parts(of: expression) {
            parts.append(ListElement(operand: try operand(part), range: part.range))
        }
        return try operand(expression, parts)
    }

    /// Returns the operands of an expression.
    private func parts(of expression: Expression) throws(QueryError) -> [Expression] {
        switch expression {
        case .arithmetic(let first, let rest):
            try checkHyphenatedName(expression.range)
            return [first] + rest.map(\.operand)
        case .call(_, let arguments, _): return arguments
        case .negation(let inner, _): return [inner]
        case .list(let elements, _):
            for case .path(let path) in elements {
                throw typeError(
                    "a list holds constants only", path.range, hint: "put strings in quotes")
            }
            return elements
        case .literal, .argument, .placeholder, .path, .quantified, .subquery, .aggregate,
            .condition, .map:
            return []
        }
    }

    private func operand(
        _ expression: Expression, _ parts: [ListElement]
    ) throws(QueryError) -> Operand {
        switch expression {
        case .path(let path): return try operand(path)
        case .literal(.value(let value), _): return .constant(value)
        case .literal(.number(let number), _): return .number(number)
        case .literal(.duration(let milliseconds), _):
            return .duration(milliseconds: milliseconds)
        case .argument(let name, let range): return try variableOrArgument(name, range)
        case .placeholder(let number, let range):
            return try operand(ofArgument: try placeholder(number, range), range)
        case .quantified(let quantifier, _, let range):
            throw typeError(
                "\(quantifier.rawValue) can only stand at the start of a side of a comparison",
                range)
        case .subquery(let subquery): return .single(try self.subquery(subquery))
        case .aggregate(let call): return try aggregate(call, of: call.path)
        case .condition(let predicate): return try condition(predicate)
        case .list: return .list(try listElements(parts))
        case .map(_, _, let range):
            throw typeError(
                "a map can only be set", range, hint: "compare its values: such as name[\"key\"]")
        case .call(let name, _, let range): return try call(name, parts, range)
        case .arithmetic(_, let rest): return try chain(parts, rest)
        case .negation(_, let range): return try negated(parts, range)
        }
    }

    /// Binds a condition in place of a value.
    private func condition(_ condition: Predicate) throws(QueryError) -> Operand {
        var values = self
        values.isValue = true
        let bound = try values.predicate(condition)
        if case .always(let holds) = bound { return .constant(.bool(holds)) }
        return .single(Computed(.condition(bound)))
    }

    /// Binds `$x`: the element of a subquery, or an argument.
    private func variableOrArgument(
        _ name: String, _ range: SourceRange
    ) throws(QueryError) -> Operand {
        if name == variable {
            let path = BoundPath(
                root: classSchema, steps: [], terminal: .object,
                type: PropertyType(.link, target: classSchema.id), name: "")
            return .single(Computed(.path(path)))
        }
        if let error = outerVariable(name, range) { throw error }
        let argument = try argument(name, range)
        return try operand(
            ofArgument: argument, range, isTyped: context.arguments[name] == nil)
    }

    private func listElements(_ elements: [ListElement]) throws(QueryError) -> [ListElement] {
        for element in elements {
            switch element.operand {
            case .constant, .number, .object: break
            case .duration: _ = try value(element.operand, element.range)
            case .single, .many, .elements, .collection, .list:
                throw typeError("a list holds constants only", element.range)
            }
        }
        return elements
    }

    // MARK: Requirements of operands

    /// Returns the constant.
    ///
    /// - Parameter type: the type of the other operand, for number literals, which have no type of
    ///   their own.
    func value(
        _ operand: Operand, _ range: SourceRange, for type: PropertyType = PropertyType(.any)
    ) throws(QueryError) -> Value {
        switch operand {
        case .constant(let value): return value
        case .number(let number): return try value(number, for: type, range)
        case .duration:
            throw typeError(
                "a duration is not a value by itself", range, hint: "such as now() - 7d")
        default: throw typeError("a constant is needed here, not \(describe(operand))", range)
        }
    }

    /// Returns a number as a value of a type, or as a value that can be compared with it.
    func value(
        _ number: NumberLiteral, for type: PropertyType, _ range: SourceRange
    ) throws(QueryError) -> Value {
        if let value = number.value(for: type.base) { return value }
        let shown = typed(range).shortened
        if type.base == .decimal128 {
            throw typeError(
                "\(shown) has more digits or a larger exponent than a Decimal128", range,
                hint: "a Decimal128 has 34 digits")
        }
        throw typeError(
            "\(shown) is too large for a \(type.base == .float ? "Float" : "Double")", range)
    }

    /// Returns the single value of each object.
    ///
    /// Constants are included.
    ///
    /// - Parameter type: the type of the other operand, for number literals, which have no type of
    ///   their own.
    func computed(
        _ operand: Operand, _ range: SourceRange, for type: PropertyType = PropertyType(.any)
    ) throws(QueryError) -> Computed {
        switch operand {
        case .single(let computed): return computed
        case .constant, .number, .duration:
            return Computed(.constant(try value(operand, range, for: type)))
        case .list, .object, .many, .elements, .collection:
            throw typeError("a single value is needed here, not \(describe(operand))", range)
        }
    }

    /// Returns the single value of each row that a key of a sort or group computes; `nil` if it
    /// computes none.
    ///
    /// A value that is computed can be the same for all rows, but a literal is probably the number
    /// of a column, or the name of one in quotes.
    func key(_ operand: Operand, of expression: Expression) throws(QueryError) -> Computed? {
        switch (operand, expression) {
        case (.single(let computed), _): return computed
        case (_, .literal), (_, .argument), (_, .placeholder), (.constant(.null), _): return nil
        case (.constant, _), (.number, _):
            return Computed(.constant(try value(operand, expression.range)))
        default: return nil
        }
    }

    /// Returns the computed value, unless it exceeds the limits.
    func limited(_ computed: Computed, _ range: SourceRange) throws(QueryError) -> Computed {
        guard computed.depth <= QueryLimits.computationDepthMax else {
            throw limitError(
                "more than \(QueryLimits.computationDepthMax) operations inside of each other",
                range)
        }
        guard computed.size <= QueryLimits.computationSizeMax else {
            throw limitError(
                "more than \(QueryLimits.computationSizeMax) operations in one value", range)
        }
        return computed
    }
}
