import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

extension Binder {
    /// Binds `x IN {...}` and `x IN path`.
    func membership(_ comparison: Comparison) throws(QueryError) -> BoundPredicate {
        let left = try side(comparison.left)
        let right = try side(comparison.right)
        if let quantifier = right.quantifier, quantifier != .any {
            // Being in ALL of them means to equal all of them.
            return try order(left, .equal, right, comparison)
        }
        switch right.operand {
        case .list(let elements):
            if left.isComputedOfElements || left.appliesToInnerCollections {
                return try order(
                    left, .equal,
                    QuantifiedOperand(operand: right.operand, quantifier: .any, range: right.range),
                    comparison)
            }
            guard let subject = subject(left) else {
                if left.operand.isList {
                    throw typeError("IN needs a property on its left", comparison.left.range)
                }
                throw constantsError(comparison)
            }
            return try oneOf(subject, elements, comparison)
        case .many, .elements, .collection:
            return try membership(left, in: right, comparison)
        case .single(let computed) where computed.type.base == .any:
            throw typeError(
                "IN needs a list on its right", comparison.right.range, hint: "add [*] to it")
        case .single(let computed):
            throw typeError(
                "IN needs a list on its right, not \(describe(computed))",
                comparison.right.range)
        case .constant(.string) where subject(left)?.type.base == .link:
            // A region passed as an argument is accepted by IN as well as by GEOWITHIN.
            return try geoWithin(comparison)
        case .constant, .number, .duration, .object:
            throw typeError(
                "IN needs a list on its right", comparison.right.range, hint: "such as {1, 2}")
        }
    }

    /// Binds `x IN path`: any of the values equals x.
    private func membership(
        _ left: QuantifiedOperand, in right: QuantifiedOperand, _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        if left.operand.hasSeveral || right.isComputedOfElements {
            return try order(
                left, .equal,
                QuantifiedOperand(operand: right.operand, quantifier: .any, range: right.range),
                comparison)
        }
        guard let elements = subject(right) else { throw constantsError(comparison) }
        guard let subject = subject(left) else {
            if case .list(let constants) = left.operand {
                return try lists(
                    right, elements, .equal,
                    QuantifiedOperand(
                        operand: left.operand, quantifier: left.quantifier ?? .any,
                        range: left.range), constants, comparison, isListFirst: true)
            }
            return try test(
                elements, .equal, ListElement(operand: left.operand, range: left.range),
                comparison)
        }
        guard case .single(let single) = subject, case .many = elements else {
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
        let side = BoundComparison.Side(single.expression)
        return BoundPredicate(elements, .relation(relation(.equal, comparison), side))
    }

    /// Tests whether a subject equals one of several constants.
    func oneOf(
        _ subject: Subject, _ elements: [ListElement], _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        let options = try textOptions(comparison, of: subject)
        if subject.isTypeName {
            var names: [(value: Value, range: SourceRange)] = []
            for element in elements {
                guard element.isValue else {
                    throw typeError("@type is the name of a type", element.range)
                }
                names.append((try constant(element, for: subject.type), element.range))
            }
            return BoundPredicate(subject, try typeTest(names, .equal, comparison))
        }
        if subject.type.base == .link, !elements.isEmpty {
            return try oneOfObjects(subject, elements, comparison)
        }
        var seen: Set<Value> = []
        var objects: [BoundPredicate] = []
        var values: [Value] = []
        for element in elements {
            if let number = element.operand.number, subject.type.base == .any {
                for value in number.anyValues where seen.insert(value).inserted {
                    values.append(value)
                }
                continue
            }
            guard element.isValue else {
                // An object in an Any; for anything else, the comparison with it throws an error
                // that describes the problem.
                objects.append(try test(subject.withAny, .equal, element, comparison))
                if case .many(.all, _) = subject, elements.count > 1 {
                    throw typeError("ALL needs a list without obj(...)", element.range)
                }
                continue
            }
            let constant = try self.constant(element, for: subject.type)
            let value =
                constant == .null ? .null : try converted(constant, for: subject, element.range)
            if seen.insert(value).inserted { values.append(value) }
        }
        if !objects.isEmpty {
            if values.isEmpty, case .many(.all, _) = subject, let only = elements.first {
                return try test(subject, .equal, only, comparison)
            }
            let others = values.isEmpty ? [] : [BoundPredicate(subject.withAny, .oneOf(values))]
            return combined(others + objects, subject.isNone ? .none : .any)
        }
        if options.isEmpty || values.isEmpty { return BoundPredicate(subject, .oneOf(values)) }
        return try oneOfTexts(subject, values, options, comparison)
    }

    private func oneOfTexts(
        _ subject: Subject, _ values: [Value], _ options: TextPattern.Options,
        _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        func tests(_ subject: Subject, _ values: [Value]) -> BoundPredicate {
            let tests = values.map { value -> BoundPredicate in
                switch value {
                case .null: BoundPredicate(subject, .isNull)
                case .string(let string):
                    BoundPredicate(subject, .text(TextPattern(.equal, string, options)))
                case .data: matches(subject, .equal, options, .constant(value))
                default: BoundPredicate(subject, .compare(.equal, value))
                }
            }
            return BoundPredicate.joined(tests, isAnd: false)
        }
        switch subject {
        case .many(.all, let path) where values.count > 1:
            let elements = values.map {
                ListElement(operand: .constant($0), range: comparison.right.range)
            }
            return try each(.all, path, .equal, .any, elements, comparison)
        case .many(.none, let path):
            return BoundPredicate.complement(of: tests(.many(.any, path), values))
        default: return tests(subject, values)
        }
    }

    /// Tests for links in a list of objects: their key is in the list of keys, or there is no link.
    private func oneOfObjects(
        _ subject: Subject, _ elements: [ListElement], _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        var keys: [(property: PropertySchema, values: [Value])] = []
        var others: [BoundPredicate] = []
        for element in elements {
            let element = try objectArgument(element, for: subject.type)
            if case .object(let object) = element.operand,
                object.target.id == subject.type.target
            {
                let index = keys.firstIndex { $0.property.id == object.property.id }
                if let index {
                    if !keys[index].values.contains(object.value) {
                        keys[index].values.append(object.value)
                    }
                } else {
                    keys.append((object.property, [object.value]))
                }
                continue
            }
            if case .many(let quantifier, _) = subject, quantifier != .any {
                throw typeError(
                    "\(quantifier.rawValue) needs a list of obj(...) only", element.range)
            }
            others.append(try test(subject, .equal, element, comparison))
        }
        var tests: [BoundPredicate] = []
        let target = subject.type.target.flatMap { context.schema[$0] }
        for (property, values) in keys {
            let subject = try keySubject(
                subject, target, property, .equal, comparison.right.range)
            let isOne = values.count == 1
            tests.append(
                BoundPredicate(subject, isOne ? .compare(.equal, values[0]) : .oneOf(values)))
        }
        return BoundPredicate.joined(tests + others, isAnd: false)
    }

    /// Binds `BETWEEN {a, b}`, which includes both bounds.
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
        if let elements = try self.elements(left, .between, right, comparison) { return elements }
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
        if case .single = subject, subject.type.base == .any {
            // For a single value, two comparisons are equivalent, and exact for every number.
            let low = try test(subject, .greaterOrEqual, elements[0], comparison)
            let high = try test(subject, .lessOrEqual, elements[1], comparison)
            for element in elements where try constant(element, for: subject.type) == .null {
                throw typeError("null has no place in an order", element.range)
            }
            if elements.contains(where: { ($0.operand.number?.anyValues.count ?? 1) > 1 }) {
                return BoundPredicate.joined([low, high], isAnd: true)
            }
        }
        let low = try end(elements[0], of: subject, .greaterOrEqual)
        let high = try end(elements[1], of: subject, .lessOrEqual)
        return BoundPredicate(subject, .between(low, high))
    }

    /// Returns one bound of an interval, which the interval includes.
    private func end(
        _ element: ListElement, of subject: Subject, _ operation: ComparisonOperator
    ) throws(QueryError) -> Value {
        if let number = element.operand.number, subject.type.base == .any,
            let bound = number.bound(operation)
        {
            return bound
        }
        let value = try constant(element, for: subject.type)
        if value == .null { throw typeError("null has no place in an order", element.range) }
        return try converted(value, for: subject, element.range)
    }
}
