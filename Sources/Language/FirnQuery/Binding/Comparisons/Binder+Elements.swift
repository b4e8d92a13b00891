import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Binds comparisons whose sides can both have several values.
extension Binder {
    /// Binds a comparison with several values on more than one side.
    ///
    /// - Returns: `nil` if one side is compared with constants, or with one value.
    func elements(
        _ left: QuantifiedOperand, _ relation: BoundComparison.Relation, _ right: QuantifiedOperand,
        _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate? {
        if left.operand.isConstant, right.operand.isConstant { return nil }
        if let equal = try wholes(left, relation, right, comparison) { return equal }
        let isComputed = left.isComputedOfElements || right.isComputedOfElements
        let isInner = left.appliesToInnerCollections || right.appliesToInnerCollections
        let isBoth = left.operand.hasSeveral && right.operand.hasSeveral
        let isTurned = relation.isMatch && (right.operand.hasSeveral || left.operand.isList)
        guard isComputed || isInner || isBoth || isTurned else { return nil }
        let (first, second) = try subjects(left, right, comparison)
        if case .compare(let operation) = relation {
            for subject in [first, second].compactMap({ $0 }) {
                try checkOrder(subject.type, operation, comparison) { describe(subject) }
            }
        }
        return .comparison(
            BoundComparison(
                try values(left, against: second ?? first, comparison),
                .relation(relation, try values(right, against: first ?? second, comparison))))
    }

    /// Compares whole collections with a list, or with each other.
    private func wholes(
        _ left: QuantifiedOperand, _ relation: BoundComparison.Relation, _ right: QuantifiedOperand,
        _ comparison: Comparison
    ) throws(QueryError) -> BoundPredicate? {
        guard case .compare(let operation) = relation,
            operation == .equal || operation == .notEqual,
            left.isWhole, right.isWhole, !left.isOneCollection || !right.operand.isList,
            !right.isOneCollection || !left.operand.isList
        else { return nil }
        guard comparison.options.isEmpty else {
            throw typeError(
                "[c] and [d] need ANY or ALL before the collection", comparison.operatorRange)
        }
        for side in [left, right] where side.operand.isMap {
            throw typeError("a map has no order to be compared in", side.range)
        }
        let (first, second) = try subjects(left, right, comparison)
        let equal = BoundPredicate.comparison(
            BoundComparison(
                try values(left, against: second ?? first, comparison),
                .relation(.wholes, try values(right, against: first ?? second, comparison))))
        return operation == .equal ? equal : BoundPredicate.complement(of: equal)
    }

    /// Returns the sides that are not constant, whose types can be compared.
    private func subjects(
        _ left: QuantifiedOperand, _ right: QuantifiedOperand, _ comparison: Comparison
    ) throws(QueryError) -> (Subject?, Subject?) {
        let (first, second) = (elementSubject(left), elementSubject(right))
        for subject in [first, second].compactMap({ $0 }) {
            if subject.isTypeName {
                throw unsupported("@type of several collections", comparison.range)
            }
            if subject.isSelf {
                throw unsupported("the element of a SUBQUERY in a collection", comparison.range)
            }
            _ = try textOptions(comparison, of: subject)
        }
        if let first, let second { try checkComparable(first, second, comparison) }
        return (first, second)
    }

    private func elementSubject(_ side: QuantifiedOperand) -> Subject? {
        if case .elements(let computed) = side.operand { return .single(computed) }
        return subject(side)
    }

    /// Returns the values of a side.
    ///
    /// - Parameter other: the side that gives constants their type.
    private func values(
        _ side: QuantifiedOperand, against other: Subject?, _ comparison: Comparison
    ) throws(QueryError) -> BoundComparison.Side {
        let quantifier = side.quantifier ?? .any
        func converted(_ element: ListElement) throws(QueryError) -> Value {
            guard element.isValue, let other else {
                throw typeError(
                    "a constant is needed here, not \(describe(element.operand))", element.range)
            }
            // Each value of an Any determines the meaning of a number, which keeps its digits.
            if other.type.base == .any, let exact = element.operand.number?.anyValues.last {
                return exact
            }
            let value = try constant(element, for: other.type)
            return value == .null ? .null : try self.converted(value, for: other, element.range)
        }
        let value: BoundExpression
        switch side.operand {
        case .single(let computed), .elements(let computed): value = computed.expression
        case .many(let path), .collection(let path, _): value = .mapped(path)
        case .list(let elements):
            var values: [Value] = []
            for element in elements { values.append(try converted(element)) }
            value = .constant(.list(values))
        case .constant, .number, .duration, .object:
            value = .constant(
                try converted(ListElement(operand: side.operand, range: side.range)))
        }
        return BoundComparison.Side(quantifier, value)
    }
}

extension QuantifiedOperand {
    /// Whether the expression computes with each element of a collection.
    var isComputedOfElements: Bool {
        switch operand {
        case .elements: true
        case .single(let computed): computed.expression.elementPath != nil
        default: false
        }
    }

    /// Whether the quantifier applies to each of several collections inside an Any.
    var appliesToInnerCollections: Bool {
        guard case .many(let path) = operand, let quantifier, quantifier != .any else {
            return false
        }
        return path.hasInnerCollections
    }

    /// Whether the side without a quantifier can be a collection as a whole.
    fileprivate var isWhole: Bool {
        guard quantifier == nil else { return false }
        switch operand {
        case .list: return true
        case .collection(let elements, _): return elements.type.base != .link
        case .many(let path): return path.measure == nil && path.endsInCollection
        case .constant, .number, .duration, .object, .single, .elements: return false
        }
    }

    /// Whether this is one collection of each object, so that comparing it with a list is a test.
    fileprivate var isOneCollection: Bool {
        if case .collection(_, let whole) = operand { !whole.isMultiple } else { false }
    }
}

extension Operand {
    /// Whether there are any number of values for each object.
    var hasSeveral: Bool {
        switch self {
        case .many, .collection, .elements: true
        case .constant, .number, .duration, .list, .object, .single: false
        }
    }

    fileprivate var isMap: Bool {
        if case .collection(_, let whole) = self { whole.type.container == .map } else { false }
    }
}

extension BoundPath {
    /// Whether the values are the elements of one collection, or one value of each of several
    /// objects, which also form a list.
    fileprivate var endsInCollection: Bool {
        switch terminal {
        case .elements, .keys: true
        case .nested(_, let inner): inner.last == .all || inner.last == .keys
        case .column, .element, .mapValue: type.base != .link
        case .object, .collection: false
        }
    }
}

extension BoundComparison.Relation {
    fileprivate var isMatch: Bool {
        if case .match = self { true } else { false }
    }
}
