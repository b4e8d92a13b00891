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
