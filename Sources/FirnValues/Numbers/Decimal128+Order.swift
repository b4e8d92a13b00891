extension Decimal128 {
    /// How this number lies to another by value: -0 equals 0, and NaN, equal to itself, comes
    /// behind infinity.
    ///
    /// - Complexity: O(1); no allocation.
    public func numericOrder(relativeTo other: Decimal128) -> Ordering {
        guard isFinite, other.isFinite else { return Ordering(extremity, other.extremity) }
        let (left, right) = (sign, other.sign)
        guard left == right, left != 0 else { return Ordering(left, right) }
        let order = magnitudeOrder(relativeTo: other)
        return left < 0 ? order.reversed : order
    }

    /// Whether both are the same number: `1.0` and `1.00` are, 0 and -0 are, NaN is none.
    package func isNumericallyEqual(to other: Decimal128) -> Bool {
        !isNaN && numericOrder(relativeTo: other) == .equal
    }

    /// Feeds what all numbers have in common that are numerically equal.
    package func numericHash(into hasher: inout Hasher) { hasher.combine(normalized) }

    /// Where it lies if not all are finite: -infinity, the numbers, infinity, NaN.
    private var extremity: Int {
        if isNaN { return 2 }
        return isInfinite ? (isNegative ? -1 : 1) : 0
    }

    /// -1, 0 or 1; both zeros are 0.
    private var sign: Int { parts.coefficient == 0 ? 0 : (isNegative ? -1 : 1) }

    /// Orders two finite numbers other than 0 without their signs.
    private func magnitudeOrder(relativeTo other: Decimal128) -> Ordering {
        let (left, right) = (parts, other.parts)
        let leftEnd = left.exponent + UInt256(left.coefficient).digitCount
        let rightEnd = right.exponent + UInt256(right.coefficient).digitCount
        guard leftEnd == rightEnd else { return Ordering(leftEnd, rightEnd) }
        // The first digits count the same, so that the exponents are at most 33 apart.
        let exponent = min(left.exponent, right.exponent)
        return Ordering(
            UInt256(left.coefficient, tens: left.exponent - exponent),
            UInt256(right.coefficient, tens: right.exponent - exponent))
    }
}
