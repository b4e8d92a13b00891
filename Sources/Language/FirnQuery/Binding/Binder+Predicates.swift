import FirnCodec
import FirnSyntax
import FirnValues

extension Binder {
    /// Binds a condition.
    ///
    /// The function recurses once or twice per level of the tree, whose depth the parser limits.
    /// Each kind of node is handled in a separate function, which keeps the frame of this one
    /// small.
    func predicate(_ predicate: Predicate) throws(QueryError) -> BoundPredicate {
        if aggregateScope != nil, let key = try keyCondition(predicate) { return key }
        return switch predicate {
        case .and(let operands, _): try logic(operands, isAnd: true)
        case .or(let operands, _): try logic(operands, isAnd: false)
        case .not(let operand, _): BoundPredicate.complement(of: try self.predicate(operand))
        case .constant, .property, .comparison: try leaf(predicate)
        }
    }

    /// Returns a condition as a test of the key of a group; `nil` if it is not such a test.
    private func keyCondition(_ predicate: Predicate) throws(QueryError) -> BoundPredicate? {
        guard let scope = aggregateScope, !containsAggregate(predicate) else { return nil }
        var rows = self
        rows.aggregateScope = nil
        // A name that a key was given is unknown to the rows.
        guard let bound = try? rows.predicate(predicate),
            let column = scope.column(of: .condition(bound))
        else { return nil }
        return .test(column, .compare(.equal, .bool(true)))
    }

    private func leaf(_ predicate: Predicate) throws(QueryError) -> BoundPredicate {
        if let windowScope, !containsAggregate(predicate) {
            return try ofRow(predicate, windowScope)
        }
        switch predicate {
        case .constant(let value, _): return .always(value)
        case .property(let path): return try bareProperty(path)
        case .comparison(let comparison): return try self.comparison(comparison)
        case .and, .or, .not: return try self.predicate(predicate)
        }
    }

    /// Binds a condition on the row itself, beside conditions with values of other rows.
    private func ofRow(
        _ predicate: Predicate, _ scope: WindowScope
    ) throws(QueryError) -> BoundPredicate {
        var rows = self
        rows.windowScope = nil
        let bound = try rows.predicate(predicate)
        if case .always = bound { return bound }
        let condition = Computed(.condition(bound))
        let column = scope.column(of: condition, name: bound.description)
        return .test(column, .compare(.equal, .bool(true)))
    }

    private func logic(
        _ operands: [Predicate], isAnd: Bool
    ) throws(QueryError) -> BoundPredicate {
        var bound: [BoundPredicate] = []
        bound.reserveCapacity(operands.count)
        for operand in operands { bound.append(try predicate(operand)) }
        return BoundPredicate.joined(bound, isAnd: isAnd)
    }

    private func bareProperty(_ path: Path) throws(QueryError) -> BoundPredicate {
        let range = path.range
        let operand = try operand(path)
        let subject = subject(
            QuantifiedOperand(operand: operand, quantifier: nil, range: path.range))
        guard let subject, subject.type.base == .bool else {
            var hint: String?
            if case .single(let computed) = operand {
                hint = "compare it, such as \(computed.expression.description.shortened) != nil"
            }
            if case .many(let path) = operand {
                throw typeError(
                    "\(describe(operand)) are not a condition by themselves", range,
                    hint: "compare them, such as ANY \(path.name.shortened) != nil")
            }
            throw typeError(
                "\(describe(operand)) is not a condition by itself", path.range, hint: hint)
        }
        return BoundPredicate(subject, .compare(.equal, .bool(true)))
    }
}

extension BoundPredicate {
    /// Joins operands with AND or OR, and preserves the invariants of the tree.
    static func joined(_ operands: [BoundPredicate], isAnd: Bool) -> BoundPredicate {
        var kept: [BoundPredicate] = []
        kept.reserveCapacity(operands.count)
        for operand in operands {
            switch operand {
            case .always(let value):
                // A deciding constant is the result, and a neutral one is dropped.
                if value != isAnd { return .always(value) }
            case .and(let inner) where isAnd: kept += inner
            case .or(let inner) where !isAnd: kept += inner
            default: kept.append(operand)
            }
        }
        guard let first = kept.first else { return .always(isAnd) }
        if kept.count == 1 { return first }
        return isAnd ? .and(kept) : .or(kept)
    }

    /// Returns a predicate for all other rows.
    ///
    /// NOT is moved into a test only if the opposite test is exact: `NOT x > 5` also passes the
    /// rows whose `x` is null, but `x <= 5` does not.
    static func complement(of predicate: BoundPredicate) -> BoundPredicate {
        switch predicate {
        case .always(let value): .always(!value)
        case .not(let inner): inner
        case .comparison(let comparison): comparison.complement ?? .not(predicate)
        default: .not(predicate)
        }
    }
}

extension BoundComparison {
    /// The opposite test of a column; `nil` if no test is exact.
    fileprivate var complement: BoundPredicate? {
        guard case .column(let column) = left.value, case .constant(let test) = test else {
            return nil
        }
        switch test {
        case .isNull: return .test(column, .isNotNull)
        case .isNotNull: return .test(column, .isNull)
        case .compare(.equal, let value): return .test(column, .compare(.notEqual, value))
        case .compare(.notEqual, let value): return .test(column, .compare(.equal, value))
        case .compare, .between, .oneOf, .text: return nil
        }
    }
}
