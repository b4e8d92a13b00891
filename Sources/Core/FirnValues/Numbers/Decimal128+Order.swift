extension Decimal128 {
    /// Returns the order of two numbers by value.
    ///
    /// -0 equals 0. NaN equals itself, and is greater than infinity.
    ///
    /// - Complexity: O(1); no allocation.
    public func numericOrder(relativeTo other: Decimal128) -> Ordering {
        guard isFinite, other.isFinite else { return Ordering(extremity, other.extremity) }
        let (left, right) = (sign, other.sign)
        guard left == right, left != 0 else { return Ordering(left, right) }
        let order = magnitudeOrder(relativeTo: other)
        return left < 0 ? order.reversed : order
    }

    /// Returns whether two numbers are equal: `1.0` equals `1.00`, 0 equals -0, and NaN equals
    /// nothing.
    package func isNumericallyEqual(to other: Decimal128) -> Bool {
        !isNaN && numericOrder(relativeTo: other) == .equal
    }

    /// Hashes the common form of all numbers that are numerically equal.
    package func numericHash(into hasher: inout Hasher) { hasher.combine(normalized) }

    /// The position of non-finite values in the order: -infinity, the numbers, infinity, NaN.
    private var extremity: Int {
        if isNaN { return 2 }
        return isInfinite ? (isNegative ? -1 : 1) : 0
    }

    /// The sign: -1, 0 or 1.
    ///
    /// Both zeros have sign 0.
    private var sign: Int { parts.coefficient == 0 ? 0 : (isNegative ? -1 : 1) }

    /// Compares the magnitudes of two nonzero finite numbers.
    private func magnitudeOrder(relativeTo other: Decimal128) -> Ordering {
        let (left, right) = (parts, other.parts)
        let leftEnd = left.exponent + UInt256(left.coefficient).digitCount
        let rightEnd = right.exponent + UInt256(right.coefficient).digitCount
        guard leftEnd == rightEnd else { return Ordering(leftEnd, rightEnd) }
        // The first digits have the same weight, so the exponents differ by at most 33.
        let exponent = min(left.exponent, right.exponent)
        return Ordering(
            UInt256(left.coefficient, tens: left.exponent - exponent),
            UInt256(right.coefficient, tens: right.exponent - exponent))
    }
}
