import FirnEngine
import FirnSyntax
import FirnValues

/// Binds `join(name = Class; value == name.value, ...)`.
struct JoinBinder {
    let binder: Binder

    func bind(_ clause: JoinClause, _ range: SourceRange) throws(QueryError) -> BoundJoin {
        guard let target = binder.context.schema.classNamed(clause.className) else {
            throw binder.unknownClass(clause.className, clause.classRange)
        }
        guard binder.variables.isEmpty else {
            throw binder.unsupported("a join inside of a SUBQUERY", range)
        }
        var rowKeys: [BoundExpression] = []
        var targetKeys: [BoundExpression] = []
        for condition in clause.conditions {
            let (row, object) = try sides(condition, clause)
            let inner = Binder(classSchema: target, context: binder.context, text: binder.text)
            let rowKey = try single(row, binder)
            let targetKey = try single(object, inner)
            try check(rowKey, targetKey, condition)
            rowKeys.append(rowKey.expression)
            targetKeys.append(targetKey.expression)
        }
        return BoundJoin(
            name: clause.name, target: target, findsAll: clause.findsAll, rowKeys: rowKeys,
            targetKeys: targetKeys)
    }

    /// Returns the value of the row and the value of the object, without the name of the join.
    private func sides(
        _ condition: Predicate, _ clause: JoinClause
    ) throws(QueryError) -> (row: Expression, object: Expression) {
        let example = "such as origin == \(clause.name.shortened).origin"
        guard case .comparison(let comparison) = condition, comparison.operator == .equal,
            comparison.options.isEmpty
        else {
            throw binder.typeError(
                "a join consists of equalities", condition.range, hint: example)
        }
        let (left, right) = (comparison.left, comparison.right)
        switch (left.mentions(clause.name), right.mentions(clause.name)) {
        case (false, true): return (left, right.removingStep(clause.name))
        case (true, false): return (right, left.removingStep(clause.name))
        default:
            throw binder.typeError(
                "one side of the equality is a value of \(clause.name.shortened), and the other "
                    + "one is not", comparison.range, hint: example)
        }
    }

    private func single(
        _ expression: Expression, _ binder: Binder
    ) throws(QueryError) -> Computed {
        let operand = try binder.operand(expression)
        guard case .single(let computed) = operand else {
            throw binder.typeError(
                "join needs one value for each object, not \(binder.describe(operand))",
                expression.range)
        }
        return computed
    }

    private func check(
        _ left: Computed, _ right: Computed, _ condition: Predicate
    ) throws(QueryError) {
        let isLink = left.type.base == .link || right.type.base == .link
        guard left.type.isComparable(to: right.type), !isLink else {
            throw binder.typeError(
                "cannot compare \(binder.describe(left)) with \(binder.describe(right))",
                condition.range)
        }
    }
}

extension Expression {
    /// Returns whether a path begins with a name.
    fileprivate func mentions(_ name: String) -> Bool {
        switch self {
        case .path(let path): path.begins(with: name)
        case .list(let parts, _), .map(_, let parts, _), .call(_, let parts, _):
            parts.contains { $0.mentions(name) }
        case .arithmetic(let first, let rest):
            first.mentions(name) || rest.contains { $0.operand.mentions(name) }
        case .negation(let inner, _), .quantified(_, let inner, _): inner.mentions(name)
        case .literal, .argument, .placeholder, .subquery, .aggregate, .condition: false
        }
    }

    /// Returns the expression in which paths that begin with a name have lost their first step.
    fileprivate func removingStep(_ name: String) -> Expression {
        switch self {
        case .path(let path):
            path.begins(with: name)
                ? .path(Path(segments: Array(path.segments.dropFirst()), range: path.range)) : self
        case .call(let function, let parts, let range):
            .call(function, parts.map { $0.removingStep(name) }, range)
        case .arithmetic(let first, let rest):
            .arithmetic(
                first.removingStep(name),
                rest.map {
                    ArithmeticTerm(
                        operator: $0.operator, operatorRange: $0.operatorRange,
                        operand: $0.operand.removingStep(name))
                })
        case .negation(let inner, let range): .negation(inner.removingStep(name), range)
        case .literal, .argument, .placeholder, .list, .map, .quantified, .subquery, .aggregate,
            .condition:
            self
        }
    }
}

extension Path {
    /// Returns whether a path that begins with a name has a step after it.
    fileprivate func begins(with name: String) -> Bool {
        guard variable == nil, segments.count > 1, case .name(name) = segments[0].kind else {
            return false
        }
        return true
    }
}
