import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

extension Binder {
    // MARK: Comparisons with lists

    /// Compares a subject with `{a, b}` or a list argument.
    ///
    /// Either side may have a quantifier. ANY is the default, but a collection or an Any without
    /// a quantifier equals the list as a whole.
    ///
    /// The quantifier on the left is the outer one. `ANY {1, 2} == ALL ints` requires one constant
    /// that all elements equal; `ALL ints == ANY {1, 2}` requires a constant for each element.
    ///
    /// - Parameter isListFirst: whether the list is on the left.
    func lists(
        _ side: QuantifiedOperand, _ subject: Subject, _ operation: ComparisonOperator,
        _ list: QuantifiedOperand,
        _ elements: [ListElement], _ comparison: Comparison, isListFirst: Bool
    ) throws(QueryError) -> BoundPredicate {
        if list.quantifier == nil, side.quantifier == nil,
            operation == .equal || operation == .notEqual
        {
            if case .single = subject, subject.type.base == .any {
                return try anyTest(subject, operation, list: elements, comparison)
            }
            if case .collection(let each, let path) = side.operand, !path.isMultiple {
                return try whole(each, path, operation, list, elements, comparison)
            }
        }
        let quantifier = list.quantifier ?? .any
        if case .many(let outer, let path) = subject, !isListFirst {
            return try each(outer, path, operation, quantifier, elements, comparison)
        }
        // A single constant must match all elements. The quantifiers can be swapped only if the
        // inner one is ANY.
        var mayChange = true
        if case .many(let inner, _) = subject { mayChange = inner == .any }
        if operation == .equal, quantifier != .all, mayChange {
            let any = try oneOf(subject, elements, comparison)
            return quantifier == .any ? any : BoundPredicate.complement(of: any)
        }
        var predicates: [BoundPredicate] = []
        predicates.reserveCapacity(elements.count)
        for element in elements {
            predicates.append(try test(subject, operation, element, comparison))
        }
        return combined(predicates, quantifier)
    }

    /// Applies ANY, ALL or NONE to several conditions.
    func combined(
        _ predicates: [BoundPredicate], _ quantifier: Quantifier
    ) -> BoundPredicate {
        let joined = BoundPredicate.joined(predicates, isAnd: quantifier == .all)
        return quantifier == .none ? BoundPredicate.complement(of: joined) : joined
    }

    /// Compares a whole collection with a list: the elements must be equal and, in a list, also
    /// their order.
    private func whole(
        _ each: BoundPath, _ path: BoundPath, _ operation: ComparisonOperator,
        _ list: QuantifiedOperand,
        _ elements: [ListElement], _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate {
        guard comparison.options.isEmpty else {
            throw typeError(
                "[c] and [d] need ANY or ALL before the collection", comparison.operatorRange)
        }
        var values: [Value] = []
        for element in elements {
            guard path.type.base != .link, element.isValue else {
                throw typeError(
                    "objects cannot be compared as a list", element.range,
                    hint: "write ANY before the collection")
            }
            let value = try constant(element, for: each.type)
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
        let equal = BoundPredicate(.many(.any, path), .isCollection(values))
        return operation == .equal ? equal : .not(equal)
    }

    func plainValues(_ elements: [ListElement]) throws(QueryError) -> [Value] {
        var values: [Value] = []
        for element in elements {
            values.append(try constant(element, for: PropertyType(.any)))
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
    /// The values in the form in which a set stores them: ordered, without duplicates.
    var asSet: [Value] {
        var result: [Value] = []
        for value in sorted(by: { $0.order(relativeTo: $1) == .less })
        where result.last.map({ $0.order(relativeTo: value) != .equal }) ?? true {
            result.append(value)
        }
        return result
    }
}
