import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

extension Binder {
    func comparison(_ comparison: Comparison) throws(QueryError) -> BoundPredicate {
        switch comparison.operator {
        case .equal: try order(comparison, .equal)
        case .notEqual: try order(comparison, .notEqual)
        case .less: try order(comparison, .less)
        case .lessOrEqual: try order(comparison, .lessOrEqual)
        case .greater: try order(comparison, .greater)
        case .greaterOrEqual: try order(comparison, .greaterOrEqual)
        case .beginsWith: try textComparison(comparison, .beginsWith)
        case .endsWith: try textComparison(comparison, .endsWith)
        case .contains: try textComparison(comparison, .contains)
        case .like: try textComparison(comparison, .like)
        case .oneOf: try membership(comparison)
        case .between: try interval(comparison)
        case .geoWithin: try geoWithin(comparison)
        case .matches: try textComparison(comparison, .matches)
        case .text:
            throw unsupported(
                comparison.operator.rawValue, comparison.operatorRange,
                hint: "use CONTAINS[c] for a part of a text")
        }
    }

    /// Binds `==`, `!=`, `<`, `<=`, `>` and `>=`, with the operands in either order.
    private func order(
        _ comparison: Comparison, _ operation: ComparisonOperator
    ) throws(QueryError) -> BoundPredicate {
        let left = try side(comparison.left)
        let right = try rightSide(comparison, left)
        return try order(left, operation, right, comparison)
    }

    func order(
        _ left: QuantifiedOperand, _ operation: ComparisonOperator, _ right: QuantifiedOperand,
        _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        let relation = relation(operation, comparison)
        if let elements = try elements(left, relation, right, comparison) { return elements }
        switch (left.operand.isConstant, right.operand.isConstant) {
        case (true, true):
            guard isValue, comparison.options.isEmpty, let holds = folded(left, operation, right)
            else { throw constantsError(comparison) }
            return .always(holds)
        case (true, false):
            return try test(right, operation.mirrored, left, comparison, isConstantFirst: true)
        case (false, true):
            return try test(left, operation, right, comparison, isConstantFirst: false)
        case (false, false): return try compare(left, operation, right, comparison)
        }
    }

    /// Returns the relation of two values, which folds texts if there are options.
    func relation(
        _ operation: ComparisonOperator, _ comparison: Comparison
    ) -> BoundComparison.Relation {
        guard !comparison.options.isEmpty, operation == .equal || operation == .notEqual else {
            return .compare(operation)
        }
        return .match(
            operation == .equal ? .equal : .notEqual,
            TextPattern.Options(rawValue: comparison.options.rawValue))
    }

    /// Returns the error for a comparison that has the same result for every object.
    func constantsError(_ comparison: Comparison) -> QueryError {
        var hint: String?
        for side in [comparison.left, comparison.right] {
            guard case .literal(.value(.string(let string)), _) = side,
                classSchema.propertyNamed(string) != nil
            else { continue }
            hint = "write \(Canonical.name(string)) without quotes for the property"
        }
        return typeError("this compares two constants", comparison.range, hint: hint)
    }

    // MARK: Comparisons with constants

    private func test(
        _ side: QuantifiedOperand, _ operation: ComparisonOperator, _ constant: QuantifiedOperand,
        _ comparison: Comparison,
        isConstantFirst: Bool
    ) throws(QueryError) -> BoundPredicate {
        guard let subject = subject(side) else { throw constantsError(comparison) }
        switch constant.operand {
        case .list(let elements):
            return try lists(
                side, subject, operation, constant, elements, comparison,
                isListFirst: isConstantFirst)
        default:
            return try test(
                subject, operation,
                ListElement(operand: constant.operand, range: constant.range), comparison)
        }
    }

    /// Binds a comparison of a subject with one constant.
    func test(
        _ subject: Subject, _ operation: ComparisonOperator, _ constant: ListElement,
        _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        let constant = try objectArgument(constant, for: subject.type)
        if case .object(let object) = constant.operand {
            let subject = try keySubject(
                subject, object.target, object.property, operation, constant.range)
            return BoundPredicate(subject, .compare(operation, object.value))
        }
        if let number = constant.operand.number, subject.type.base == .any {
            return anyTest(subject, operation, number)
        }
        let value = try self.constant(constant, for: subject.type)
        let options = try textOptions(comparison, of: subject)
        if subject.isTypeName {
            return BoundPredicate(
                subject, try typeTest([(value, constant.range)], operation, comparison))
        }
        if value == .null, subject.isSelf { return .always(operation == .notEqual) }
        if case .link(let reference) = value, subject.type.base == .link {
            let target = context.schema[reference.classID]
            let subject = try keySubject(subject, target, nil, operation, constant.range)
            return BoundPredicate(
                subject,
                .compare(operation, .int(Int64(clamping: reference.rowID.rawValue))))
        }
        try checkOrder(subject.type, operation, comparison) { describe(subject) }
        guard value != .null else {
            let subject = subject.withNullValues
            return BoundPredicate(
                subject, try nullTest(subject, operation, constant.range))
        }
        let converted = try converted(value, for: subject, constant.range)
        if !options.isEmpty, case .data = converted {
            return matches(
                subject, operation == .equal ? .equal : .notEqual, options, .constant(converted))
        }
        if !options.isEmpty, case .string(let string) = converted {
            let kind: TextPattern.Kind = operation == .equal ? .equal : .notEqual
            return BoundPredicate(subject, .text(TextPattern(kind, string, options)))
        }
        return BoundPredicate(subject, .compare(operation, converted))
    }

    func constant(
        _ element: ListElement, for type: PropertyType
    ) throws(QueryError) -> Value {
        switch element.operand {
        case .constant(let value): return value
        case .number(let number): return try value(number, for: type, element.range)
        case .duration:
            throw typeError(
                "a duration is not a value by itself", element.range,
                hint: "such as now() - 7d")
        default: throw typeError("a constant is needed here", element.range)
        }
    }

    /// Binds a comparison with null.
    ///
    /// Null equals null, but is not ordered before or after any value.
    private func nullTest(
        _ subject: Subject, _ operation: ComparisonOperator, _ range: SourceRange
    ) throws(QueryError) -> ColumnTest {
        if case .many(_, let path) = subject, case .object = path.terminal {
            throw typeError(
                "the objects of \"\(path.name.shortened)\" are never null", range,
                hint: "compare @count with 0")
        }
        switch operation {
        case .notEqual: return .isNotNull
        case .equal, .lessOrEqual, .greaterOrEqual: return .isNull
        case .less, .greater: return .never
        }
    }

    // MARK: Comparisons of values

    private func compare(
        _ left: QuantifiedOperand, _ operation: ComparisonOperator, _ right: QuantifiedOperand,
        _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        guard var leftSubject = subject(left), var rightSubject = subject(right) else {
            throw constantsError(comparison)
        }
        try checkComparable(leftSubject, rightSubject, comparison)
        (leftSubject, rightSubject) = try identified(
            leftSubject, rightSubject, operation, comparison.range)
        try checkOrder(leftSubject.type, operation, comparison) {
            [leftSubject] in describe(leftSubject)
        }
        _ = try textOptions(comparison, of: leftSubject)
        _ = try textOptions(comparison, of: rightSubject)
        switch (leftSubject, rightSubject) {
        case (_, .single(let right)):
            let side = BoundComparison.Side(right.expression)
            return BoundPredicate(leftSubject, .relation(relation(operation, comparison), side))
        case (.single(let left), .many):
            let side = BoundComparison.Side(left.expression)
            return BoundPredicate(
                rightSubject, .relation(relation(operation.mirrored, comparison), side))
        case (.many, .many):
            throw typeError(
                "two collections cannot be compared with each other", comparison.range)
        }
    }

    func checkComparable(
        _ left: Subject, _ right: Subject, _ comparison: Comparison
    ) throws(QueryError) {
        let bases = [left.type.base, right.type.base]
        if bases.contains(.any), bases.contains(.link) {
            throw unsupported("a link against an Any", comparison.range)
        }
        guard !left.type.isComparable(to: right.type) else { return }
        throw typeError(
            "cannot compare \(describe(left)) with \(describe(right))", comparison.range)
    }

    /// Rejects order comparisons of links and type names, which can only be equal or unequal.
    func checkOrder(
        _ type: PropertyType, _ operation: ComparisonOperator, _ comparison: Comparison,
        _ described: () -> String
    ) throws(QueryError) {
        guard type.base == .link, operation != .equal, operation != .notEqual else { return }
        throw typeError(
            "\(described()) can only be compared with == and !=", comparison.operatorRange)
    }
}

extension Binder {
    /// Binds the right side of a comparison.
    ///
    /// The error for an unknown property suggests quotes, because a bare word may be meant as text.
    func rightSide(_ comparison: Comparison, _ left: QuantifiedOperand) throws(QueryError)
        -> QuantifiedOperand
    {
        do { return try side(comparison.right) } catch {
            guard error.code == .unknownProperty, error.hint == nil, takesText(left),
                case .path(let path) = comparison.right, path.variable == nil,
                path.segments.count == 1, case .name(let name) = path.segments[0].kind
            else { throw error }
            throw error.hinting("quote texts: \"\(name.shortened)\"")
        }
    }

    private func takesText(_ side: QuantifiedOperand) -> Bool {
        guard let base = subject(side)?.type.base else { return false }
        return base == .string || base == .any
    }
}
