import FirnCodec
import FirnEngine
import FirnValues

extension Binder {
    // MARK: A list with an order operator

    /// A subject against `{a, b}` or a list argument, with or without a quantifier on either.
    func lists(
        _ side: Side, _ subject: Subject, _ operation: ComparisonOperator, _ list: Side,
        _ elements: [ListElement], _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        if let quantifier = list.quantifier {
            return try combined(elements, quantifier) { element throws(QueryError) in
                try test(subject, operation, element, comparison)
            } whenAny: { () throws(QueryError) in
                guard operation == .equal else { return nil }
                return try oneOf(subject, elements, comparison)
            }
        }
        if side.quantifier != nil {
            guard operation == .equal || operation == .notEqual else {
                throw typeError(
                    "\(operation.rawValue) needs ANY or ALL before the list", list.range)
            }
            if operation == .equal { return try oneOf(subject, elements, comparison) }
            return try differs(subject, elements, comparison)
        }
        return try whole(side, subject, operation, list, elements, comparison)
    }

    /// ANY, ALL or NONE of the constants.
    private func combined(
        _ elements: [ListElement], _ quantifier: Quantifier,
        each: (ListElement) throws(QueryError) -> BoundPredicate,
        whenAny: () throws(QueryError) -> BoundPredicate?
    ) throws(QueryError) -> BoundPredicate {
        if quantifier != .all, let whole = try whenAny() {
            return quantifier == .any ? whole : BoundPredicate.complement(of: whole)
        }
        var predicates: [BoundPredicate] = []
        predicates.reserveCapacity(elements.count)
        for element in elements { predicates.append(try each(element)) }
        let joined = BoundPredicate.joined(predicates, isAnd: quantifier == .all)
        return quantifier == .none ? BoundPredicate.complement(of: joined) : joined
    }

    /// Elements that are none of several constants.
    private func differs(
        _ subject: Subject, _ elements: [ListElement], _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        guard elements.count == 1, let only = elements.first else {
            throw typeError(
                "!= needs ANY or ALL before a list", comparison.operatorRange,
                hint: "or write NONE ... == for none of them")
        }
        return try test(subject, .notEqual, only, comparison)
    }

    /// A whole collection against a list: equal if the elements are, in a list in their order.
    private func whole(
        _ side: Side, _ subject: Subject, _ operation: ComparisonOperator, _ list: Side,
        _ elements: [ListElement], _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        if case .single = subject, subject.type.base == .any {
            let values = try plainValues(elements)
            return BoundPredicate(subject, .compare(operation, .list(values)))
        }
        guard case .collection(let each, let path) = side.operand, !path.isMultiple else {
            throw typeError("a list can only stand behind IN or BETWEEN", list.range)
        }
        guard operation == .equal || operation == .notEqual else {
            throw typeError(
                "a collection and a list can only be compared with == and !=",
                comparison.operatorRange)
        }
        guard comparison.options.isEmpty else {
            throw typeError(
                "[c] and [d] need ANY or ALL before the collection", comparison.operatorRange)
        }
        var values: [Value] = []
        for element in elements {
            guard path.type.base != .link, case .constant(let value) = element.operand else {
                throw typeError(
                    "objects cannot be compared as a list", element.range,
                    hint: "write ANY before the collection")
            }
            values.append(
                value == .null
                    ? .null : try converted(value, for: .many(.any, each), element.range))
        }
        switch path.type.container {
        case .map where !values.isEmpty:
            throw typeError("a map has no order to be compared in", list.range)
        case .set: values = values.asSet
        default: break
        }
        let equal = BoundPredicate.isCollection(path, values)
        return operation == .equal ? equal : .not(equal)
    }

    func plainValues(_ elements: [ListElement]) throws(QueryError) -> [Value] {
        var values: [Value] = []
        for element in elements {
            guard case .constant(let value) = element.operand else {
                throw typeError("a constant is needed here", element.range)
            }
            values.append(value)
        }
        return values
    }

    // MARK: IN

    /// Binds `x IN {...}` and `x IN path`.
    func membership(_ comparison: Comparison) throws(QueryError) -> BoundPredicate {
        let left = try side(comparison.left)
        let right = try side(comparison.right)
        if let quantifier = right.quantifier, quantifier != .any {
            throw typeError("IN has its quantifier on the left", comparison.right.range)
        }
        switch right.operand {
        case .list(let elements):
            guard let subject = subject(left) else {
                if left.operand.isList {
                    throw typeError("IN needs a property on its left", comparison.left.range)
                }
                throw constantsError(comparison)
            }
            return try oneOf(subject, elements, comparison)
        case .many, .collection: return try membership(left, in: right, comparison)
        case .single(let computed) where computed.type.base == .any:
            throw typeError(
                "IN needs a list on its right", comparison.right.range, hint: "write [*] behind it")
        case .single(let computed):
            throw typeError(
                "IN needs a list on its right, not \(describe(computed))",
                comparison.right.range)
        case .constant, .duration, .object:
            throw typeError(
                "IN needs a list on its right", comparison.right.range, hint: "such as {1, 2}")
        }
    }

    /// `x IN path`: any of the values equals x.
    private func membership(
        _ left: Side, in right: Side, _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        guard let elements = subject(right) else { throw constantsError(comparison) }
        guard let subject = subject(left) else {
            if case .list(let constants) = left.operand {
                return try lists(
                    right, elements, .equal,
                    Side(
                        operand: left.operand, quantifier: left.quantifier ?? .any,
                        range: left.range), constants, comparison)
            }
            return try test(
                elements, .equal, ListElement(operand: left.operand, range: left.range),
                comparison)
        }
        guard case .single(let single) = subject, case .many(let quantifier, let path) = elements
        else {
            throw typeError(
                "two collections cannot be compared with each other", comparison.range,
                hint: "use SUBQUERY")
        }
        try checkComparable(elements, subject, comparison)
        _ = try textOptions(comparison, of: subject)
        _ = try textOptions(comparison, of: elements)
        if subject.isSelf {
            throw unsupported("the element of a SUBQUERY in a collection", comparison.range)
        }
        return each(quantifier, path, .equal, single, comparison)
    }

    /// A subject that equals one of several constants.
    private func oneOf(
        _ subject: Subject, _ elements: [ListElement], _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        let options = try textOptions(comparison, of: subject)
        if subject.isTypeName {
            var names: [(value: Value, range: SourceRange)] = []
            for element in elements {
                guard case .constant(let value) = element.operand else {
                    throw typeError("@type is the name of a type", element.range)
                }
                names.append((value, element.range))
            }
            return BoundPredicate(subject, try typeTest(names, .equal, comparison))
        }
        if subject.type.base == .link, !elements.isEmpty {
            return try oneOfObjects(subject, elements, comparison)
        }
        var seen: Set<Value> = []
        var values: [Value] = []
        for element in elements {
            guard case .constant(let constant) = element.operand else {
                // The error of the comparison with it says what is wrong.
                _ = try test(subject, .equal, element, comparison)
                continue
            }
            let value =
                constant == .null ? .null : try converted(constant, for: subject, element.range)
            if seen.insert(value).inserted { values.append(value) }
        }
        if options.isEmpty || values.isEmpty { return BoundPredicate(subject, .oneOf(values)) }
        return try oneOfTexts(subject, values, options, comparison)
    }

    private func oneOfTexts(
        _ subject: Subject, _ values: [Value], _ options: TextPattern.Options,
        _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        func tests(_ subject: Subject) -> BoundPredicate {
            let tests = values.map { value -> BoundPredicate in
                switch value {
                case .null: BoundPredicate(subject, .isNull)
                case .string(let string):
                    BoundPredicate(subject, .text(TextPattern(.equal, string, options)))
                default: BoundPredicate(subject, .compare(.equal, value))
                }
            }
            return BoundPredicate.joined(tests, isAnd: false)
        }
        switch subject {
        case .many(.all, _) where values.count > 1:
            throw unsupported("ALL with IN[c]", comparison.operatorRange)
        case .many(.none, let path):
            return BoundPredicate.complement(of: tests(.many(.any, path)))
        default: return tests(subject)
        }
    }

    /// Links in a list of objects: their keys in the list of keys.
    private func oneOfObjects(
        _ subject: Subject, _ elements: [ListElement], _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        if elements.count == 1, let only = elements.first {
            return try test(subject, .equal, only, comparison)
        }
        var keys: [Value] = []
        for element in elements {
            guard case .object(let target, let key) = element.operand,
                target.id == subject.type.target
            else {
                let isNull = if case .constant(.null) = element.operand { true } else { false }
                guard isNull else {
                    _ = try test(subject, .equal, element, comparison)
                    throw unsupported("a list of links", element.range)
                }
                throw typeError(
                    "null cannot stand in a list of objects", element.range,
                    hint: "write OR ... == nil")
            }
            if !keys.contains(key) { keys.append(key) }
        }
        guard let target = subject.type.target.flatMap({ context.schema[$0] }) else {
            throw constantsError(comparison)
        }
        let subject = try keySubject(
            subject, target, target.keyProperty, .equal, comparison.right.range)
        return BoundPredicate(subject, .oneOf(keys))
    }

    // MARK: BETWEEN

    /// `BETWEEN {a, b}`, both ends included.
    func interval(_ comparison: Comparison) throws(QueryError) -> BoundPredicate {
        let right = try side(comparison.right)
        guard right.quantifier == nil, case .list(let elements) = right.operand,
            elements.count == 2
        else {
            var found = ""
            if case .list(let elements) = right.operand { found = ", not \(elements.count)" }
            throw typeError(
                "BETWEEN needs a list of two values\(found)", comparison.right.range,
                hint: "such as {1, 10}")
        }
        let left = try side(comparison.left)
        guard let subject = subject(left) else {
            if left.operand.isList {
                throw typeError("BETWEEN needs a property on its left", comparison.left.range)
            }
            throw constantsError(comparison)
        }
        _ = try textOptions(comparison, of: subject)
        if subject.isTypeName || subject.type.base == .link {
            throw typeError(
                "\(describe(subject)) has no place in an order", comparison.operatorRange)
        }
        var ends: [Value] = []
        for element in elements {
            guard case .constant(let value) = element.operand else {
                throw typeError("a constant is needed here", element.range)
            }
            if value == .null { throw typeError("null has no place in an order", element.range) }
            ends.append(try converted(value, for: subject, element.range))
        }
        return BoundPredicate(subject, .between(ends[0], ends[1]))
    }
}

extension Operand {
    var isList: Bool {
        if case .list = self { true } else { false }
    }
}

extension [Value] {
    /// As a set is stored: in the order of values, each once.
    var asSet: [Value] {
        var result: [Value] = []
        for value in sorted(by: { $0.order(relativeTo: $1) == .less })
        where result.last.map({ $0.order(relativeTo: value) != .equal }) ?? true {
            result.append(value)
        }
        return result
    }
}
