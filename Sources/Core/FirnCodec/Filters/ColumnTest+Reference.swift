package import FirnValues

/// Returns whether a value passes a test.
///
/// This defines the meaning of every test for a single value.
///
/// All filters on encoded data agree with it in every case, including NaN.
package func value(_ value: Value, passes test: ColumnTest) -> Bool {
    switch test {
    case .isNull: value.isNull
    case .isNotNull: !value.isNull
    case .compare(let comparison, let constant): value.passes(comparison, constant)
    case .between(let low, let high):
        value.passes(.greaterOrEqual, low) && value.passes(.lessOrEqual, high)
    case .oneOf(let constants):
        constants.contains { $0.isNull ? value.isNull : value.passes(.equal, $0) }
    case .text(let pattern): TextMatcher(pattern).matches(value)
    }
}

extension Value {
    /// Returns whether a comparison with a constant holds, as defined for queries.
    ///
    /// Numbers compare exactly, whatever their kinds. Values that have no order with each other
    /// (NaN, null, another kind) are only ever unequal.
    func passes(_ comparison: ComparisonOperator, _ constant: Value) -> Bool {
        if isNull || constant.isNull {
            let bothNull = isNull && constant.isNull
            return comparison == .notEqual ? !bothNull : comparison == .equal && bothNull
        }
        guard isComparable(to: constant) else { return comparison == .notEqual }
        return comparison.accepts(order(relativeTo: constant))
    }

    /// Returns whether two values have an order: less, equal or greater.
    package func isComparable(to other: Value) -> Bool {
        if isNumber, other.isNumber { return !isNotANumber && !other.isNotANumber }
        return tag == other.tag && !isNull
    }

    var isNumber: Bool {
        switch self {
        case .int, .float, .double, .decimal128: true
        default: false
        }
    }
}

extension ComparisonOperator {
    /// Returns whether a value with the given order relative to the other side passes.
    package func accepts(_ order: Ordering) -> Bool {
        switch self {
        case .equal: order == .equal
        case .notEqual: order != .equal
        case .less: order == .less
        case .lessOrEqual: order != .greater
        case .greater: order == .greater
        case .greaterOrEqual: order != .less
        }
    }
}
