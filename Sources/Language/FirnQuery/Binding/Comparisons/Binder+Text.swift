import FirnCodec
import FirnSyntax
import FirnValues

extension Binder {
    /// Binds BEGINSWITH, ENDSWITH, CONTAINS, LIKE and MATCHES.
    func textComparison(
        _ comparison: Comparison, _ kind: TextPattern.Kind
    ) throws(QueryError) -> BoundPredicate {
        let left = try side(comparison.left)
        let right = try rightSide(comparison, left)
        let options = TextPattern.Options(rawValue: comparison.options.rawValue)
        if let subject = subject(left) { try checkText(subject, kind, comparison.operatorRange) }
        if let subject = subject(right) { try checkText(subject, kind, comparison.right.range) }
        if kind == .matches, !right.operand.isConstant {
            throw typeError(
                "MATCHES needs a constant pattern, not \(describe(right.operand))",
                comparison.right.range)
        }
        if let elements = try elements(left, .match(kind, options), right, comparison) {
            return elements
        }
        guard let subject = subject(left) else {
            return try textComparison(constant: left, right, kind, options, comparison)
        }
        if subject.type.base == .data || isData(right.operand), !right.operand.isList {
            return try bytesComparison(subject, right, kind, options, comparison)
        }
        switch right.operand {
        case .constant(.null):
            return BoundPredicate(subject, kind == .like ? .isNull : .never)
        case .constant(.string(let pattern)):
            // As in NSPredicate, nothing begins with, ends with or contains an empty string.
            if pattern.isEmpty, kind != .like, kind != .matches {
                return BoundPredicate(subject, .never)
            }
            return BoundPredicate(
                subject, .text(try self.pattern(kind, pattern, options, comparison.right.range)))
        case .list(let elements):
            return try texts(subject, elements, right.quantifier ?? .any, kind, comparison)
        case .single(let single):
            return matches(subject, kind, options, single.expression)
        case .constant, .number, .duration, .object, .many, .elements, .collection:
            throw typeError(
                "\(kind.rawValue) needs a string, not \(describe(right.operand))",
                comparison.right.range)
        }
    }

    private func isData(_ operand: Operand) -> Bool {
        if case .constant(.data) = operand { true } else { false }
    }

    /// Binds BEGINSWITH, ENDSWITH, CONTAINS and LIKE for bytes.
    private func bytesComparison(
        _ subject: Subject, _ right: QuantifiedOperand, _ kind: TextPattern.Kind,
        _ options: TextPattern.Options, _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        guard kind != .matches else {
            throw typeError("MATCHES is for strings, not for bytes", comparison.operatorRange)
        }
        guard [.data, .any].contains(subject.type.base) else {
            throw typeError(
                "\(kind.rawValue) needs a string, not \(describe(right.operand))",
                comparison.right.range)
        }
        let operand: BoundExpression
        switch right.operand {
        case .constant(.null): return BoundPredicate(subject, kind == .like ? .isNull : .never)
        case .constant(.data(let bytes)):
            // As with strings, nothing begins with, ends with or contains empty data.
            if bytes.isEmpty, kind != .like { return BoundPredicate(subject, .never) }
            operand = .constant(.data(bytes))
        case .constant(.string(let text)) where subject.type.base == .data:
            if text.isEmpty, kind != .like { return BoundPredicate(subject, .never) }
            operand = .constant(.data(Array(text.utf8)))
        case .single(let single) where [.data, .any].contains(Subject.single(single).type.base):
            operand = single.expression
        default:
            throw typeError(
                "\(kind.rawValue) of bytes needs bytes, not \(describe(right.operand))",
                comparison.right.range)
        }
        return matches(subject, kind, options, operand)
    }

    /// Returns the match of texts or bytes with one value.
    func matches(
        _ subject: Subject, _ kind: TextPattern.Kind, _ options: TextPattern.Options,
        _ operand: BoundExpression
    ) -> BoundPredicate {
        BoundPredicate(
            subject, .relation(.match(kind, options), BoundComparison.Side(operand)))
    }

    /// Binds a comparison with a constant on the left: `"abc" CONTAINS name`.
    private func textComparison(
        constant left: QuantifiedOperand, _ right: QuantifiedOperand, _ kind: TextPattern.Kind,
        _ options: TextPattern.Options, _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        if right.operand.isConstant { throw constantsError(comparison) }
        guard case .constant(let value) = left.operand, case .single(let single) = right.operand
        else {
            throw typeError(
                "\(kind.rawValue) needs a property on its left", comparison.left.range)
        }
        switch value {
        case .string, .null:
            return matches(
                .single(Computed(.constant(value))), kind, options, single.expression)
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
            if case .constant(let value) = element.operand,
                subject.type.base == .data || value.tag == .data
            {
                return try bytesComparison(
                    subject,
                    QuantifiedOperand(
                        operand: element.operand, quantifier: nil, range: element.range),
                    kind, options, comparison)
            }
            guard case .constant(.string(let pattern)) = element.operand else {
                throw typeError(
                    "\(kind.rawValue) needs a string, not \(describe(element.operand))",
                    element.range)
            }
            let isNever = pattern.isEmpty && kind != .like && kind != .matches
            return BoundPredicate(
                subject,
                isNever ? .never : .text(try self.pattern(kind, pattern, options, element.range)))
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
        let bases: [ValueTag] =
            kind == .matches ? [.string, .any] : [.string, .data, .any]
        guard bases.contains(subject.type.base), !subject.isTypeName else {
            throw typeError(
                "\(kind.rawValue) is for strings, not for \(describe(subject))", range)
        }
    }

    /// Returns a pattern of text, which must fit its limits and syntax.
    private func pattern(
        _ kind: TextPattern.Kind, _ text: String, _ options: TextPattern.Options,
        _ range: SourceRange
    ) throws(QueryError) -> TextPattern {
        try checkLength(text, kind, range)
        guard kind == .matches else { return TextPattern(kind, text, options) }
        do throws(PatternError) { return try TextPattern(matching: text, options) } catch {
            throw wrongPattern(text, error, range)
        }
    }

    private func wrongPattern(
        _ text: String, _ error: PatternError, _ range: SourceRange
    ) -> QueryError {
        QueryError(
            error.isLimit ? .limit : .type, "\(error.message) in the pattern",
            at: position(text, error.range, range).bytes, hint: error.hint)
    }

    /// Checks the constants of `extract(text, pattern, group)` and `substitute(text, pattern, new)`.
    func checkPattern(
        _ function: ScalarFunction, _ values: [Computed], _ arguments: [ListElement]
    ) throws(QueryError) {
        guard let text = values[1].expression.constantText else {
            throw typeError(
                "\(function.rawValue) needs a pattern in quotes", arguments[1].range,
                hint: "such as \"([0-9]+)\"")
        }
        try checkLength(text, .matches, arguments[1].range)
        let search: PatternSearch
        do throws(PatternError) { search = try PatternSearch(text) } catch {
            throw wrongPattern(text, error, arguments[1].range)
        }
        guard values.count == 3 else { return }
        switch (function, values[2].expression) {
        case (.extract, .constant(.int(let group))) where group >= 0:
            guard group > search.groupCount else { return }
            throw typeError(
                "the pattern has no group \(group)", arguments[2].range,
                hint: "groups are in parentheses, and 0 is the whole match")
        case (.extract, _):
            throw typeError(
                "the group of extract is a whole number", arguments[2].range,
                hint: "such as 1 for the first parentheses; 0 is the whole match")
        case (_, let new):
            guard let text = new.constantText else {
                throw typeError("substitute needs a new text in quotes", arguments[2].range)
            }
            guard let replacement = MatchReplacement(text) else {
                throw typeError(
                    "a $ in the new text is followed by a digit or by another $",
                    arguments[2].range,
                    hint: "$0 is the match, $1 its first group, and $$ a dollar sign")
            }
            guard replacement.groupMax > search.groupCount else { return }
            throw typeError(
                "the pattern has no group \(replacement.groupMax)", arguments[2].range,
                hint: "groups are in parentheses; $0 is the match, and $$ a dollar sign")
        }
    }

    /// Returns the position of some characters of a string literal, or of the whole literal if it
    /// has escapes.
    private func position(
        _ text: String, _ characters: Range<Int>, _ literal: SourceRange
    ) -> SourceRange {
        let scalars = Array(text.unicodeScalars)
        guard typed(literal).utf8.count == text.utf8.count + 2, !characters.isEmpty,
            characters.upperBound <= scalars.count
        else { return literal }
        func length(_ count: Int) -> Int {
            scalars.prefix(count).reduce(0) { $0 + UTF8.width($1) }
        }
        let start = literal.bytes.lowerBound + 1
        return SourceRange(
            start + length(characters.lowerBound)..<start + length(characters.upperBound))
    }

    private func checkLength(
        _ pattern: String, _ kind: TextPattern.Kind, _ range: SourceRange
    ) throws(QueryError) {
        guard kind == .like || kind == .matches, pattern.utf8.count > QueryLimits.patternScalarsMax,
            pattern.unicodeScalars.count > QueryLimits.patternScalarsMax
        else { return }
        throw limitError(
            "the pattern has more than \(QueryLimits.patternScalarsMax) characters", range)
    }
}
