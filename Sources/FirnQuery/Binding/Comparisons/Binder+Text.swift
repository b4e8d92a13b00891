import FirnCodec
import FirnValues

extension Binder {
    /// Binds BEGINSWITH, ENDSWITH, CONTAINS and LIKE.
    func textComparison(
        _ comparison: Comparison, _ kind: TextPattern.Kind
    ) throws(QueryError) -> BoundPredicate {
        let left = try side(comparison.left)
        let right = try rightSide(comparison, left)
        let options = TextPattern.Options(rawValue: comparison.options.rawValue)
        guard let subject = subject(left) else {
            return try textComparison(constant: left, right, kind, options, comparison)
        }
        try checkText(subject, kind, comparison.operatorRange)
        if subject.type.base == .data || isData(right.operand) {
            return try bytesComparison(subject, right, kind, options, comparison)
        }
        switch right.operand {
        case .constant(.null):
            return BoundPredicate(subject, kind == .like ? .isNull : .never)
        case .constant(.string(let pattern)):
            // As in NSPredicate, nothing begins with, ends with or contains an empty string.
            if pattern.isEmpty, kind != .like { return BoundPredicate(subject, .never) }
            try checkLength(pattern, kind, comparison.right.range)
            return BoundPredicate(subject, .text(TextPattern(kind, pattern, options)))
        case .list(let elements):
            guard let quantifier = right.quantifier else {
                throw typeError(
                    "a list is allowed only after IN or BETWEEN", comparison.right.range)
            }
            return try texts(subject, elements, quantifier, kind, comparison)
        case .single(let single):
            try checkText(.single(single), kind, comparison.right.range)
            switch subject {
            case .single(let left):
                return .match(left.expression, kind, options, single.expression)
            case .many(let quantifier, let path):
                return .matchEach(quantifier, path, kind, options, single.expression)
            }
        case .many, .collection:
            throw typeError(
                "\(kind.rawValue) needs one string on its right, not \(describe(right.operand))",
                comparison.right.range)
        case .constant, .number, .duration, .object:
            throw typeError(
                "\(kind.rawValue) needs a string, not \(describe(right.operand))",
                comparison.right.range)
        }
    }

    private func isData(_ operand: Operand) -> Bool {
        if case .constant(.data) = operand { true } else { false }
    }

    /// Binds BEGINSWITH, ENDSWITH and CONTAINS for bytes.
    private func bytesComparison(
        _ subject: Subject, _ right: Side, _ kind: TextPattern.Kind,
        _ options: TextPattern.Options, _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        guard kind != .like, options.isEmpty else {
            throw typeError(
                "LIKE, [c] and [d] are for strings, not for bytes", comparison.operatorRange)
        }
        guard [.data, .any].contains(subject.type.base) else {
            throw typeError(
                "\(kind.rawValue) needs a string, not \(describe(right.operand))",
                comparison.right.range)
        }
        let operand: BoundExpression
        switch right.operand {
        case .constant(.null): return BoundPredicate(subject, .never)
        case .constant(.data(let bytes)):
            // As with strings, nothing begins with, ends with or contains empty data.
            if bytes.isEmpty { return BoundPredicate(subject, .never) }
            operand = .constant(.data(bytes))
        case .single(let single) where [.data, .any].contains(Subject.single(single).type.base):
            operand = single.expression
        default:
            throw typeError(
                "\(kind.rawValue) of bytes needs bytes, not \(describe(right.operand))",
                comparison.right.range)
        }
        switch subject {
        case .single(let left): return .match(left.expression, kind, options, operand)
        case .many(let quantifier, let path):
            return .matchEach(quantifier, path, kind, options, operand)
        }
    }

    /// Binds a comparison with a constant on the left: `"abc" CONTAINS name`.
    private func textComparison(
        constant left: Side, _ right: Side, _ kind: TextPattern.Kind,
        _ options: TextPattern.Options, _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        if right.operand.isConstant { throw constantsError(comparison) }
        guard case .constant(let value) = left.operand, case .single(let single) = right.operand
        else {
            throw typeError(
                "\(kind.rawValue) needs a property on its left", comparison.left.range)
        }
        try checkText(.single(single), kind, comparison.right.range)
        switch value {
        case .string, .null:
            return .match(.constant(value), kind, options, single.expression)
        default:
            throw typeError(
                "\(kind.rawValue) needs a string, not \(describe(left.operand))",
                comparison.left.range)
        }
    }

    /// Applies ANY, ALL or NONE to several patterns.
    private func texts(
        _ subject: Subject, _ elements: [ListElement], _ quantifier: Quantifier,
        _ kind: TextPattern.Kind, _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        let options = TextPattern.Options(rawValue: comparison.options.rawValue)
        func condition(
            _ subject: Subject, _ element: ListElement
        ) throws(QueryError) -> BoundPredicate {
            guard case .constant(.string(let pattern)) = element.operand else {
                throw typeError(
                    "\(kind.rawValue) needs a string, not \(describe(element.operand))",
                    element.range)
            }
            try checkLength(pattern, kind, element.range)
            let isNever = pattern.isEmpty && kind != .like
            return BoundPredicate(
                subject, isNever ? .never : .text(TextPattern(kind, pattern, options)))
        }
        guard case .many(let outer, let path) = subject else {
            var conditions: [BoundPredicate] = []
            for element in elements { conditions.append(try condition(subject, element)) }
            return combined(conditions, quantifier)
        }
        let nested = NestedQuantifiers(
            binder: self, path: path, elements: elements, operation: kind.rawValue + options.text,
            operatorRange: comparison.operatorRange, condition: condition, conditionOfAny: nil)
        return try nested.bind(outer, quantifier)
    }

    private func checkText(
        _ subject: Subject, _ kind: TextPattern.Kind, _ range: SourceRange
    ) throws(QueryError) {
        let bases: [ValueTag] = kind == .like ? [.string, .any] : [.string, .data, .any]
        guard bases.contains(subject.type.base), !subject.isTypeName else {
            throw typeError(
                "\(kind.rawValue) is for strings, not for \(describe(subject))", range)
        }
    }

    private func checkLength(
        _ pattern: String, _ kind: TextPattern.Kind, _ range: SourceRange
    ) throws(QueryError) {
        guard kind == .like, pattern.utf8.count > QueryLimits.patternScalarsMax,
            pattern.unicodeScalars.count > QueryLimits.patternScalarsMax
        else { return }
        throw limitError(
            "the pattern has more than \(QueryLimits.patternScalarsMax) characters", range)
    }
}
