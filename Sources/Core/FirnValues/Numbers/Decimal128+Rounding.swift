extension Decimal128 {
    /// The direction in which a number is rounded.
    package enum Rounding: Sendable {
        /// To the nearest number, and halves away from 0.
        case nearest
        case down
        case up
    }

    /// Returns the number rounded to a number of places after the point, or before it if negative.
    ///
    /// Infinities and NaN stay as they are.
    package func rounded(_ rounding: Rounding, places: Int64 = 0) -> Decimal128 {
        let (coefficient, exponent) = parts
        let limit = Int64(Decimal128.exponents.upperBound)
        guard isFinite, places < limit, exponent < -Int(places.clamped(to: limit)) else {
            return self
        }
        guard places > -limit else { return Decimal128(0) }
        let dropped = -Int(places) - exponent
        // All digits are dropped, and the first of them is not before the next place.
        let isShort = dropped > Decimal128.digitsMax
        let unit = isShort ? 0 : Decimal128.powerOfTen(dropped)
        var (kept, rest) =
            isShort ? (0, coefficient) : coefficient.quotientAndRemainder(dividingBy: unit)
        let raises =
            switch rounding {
            case .nearest: !isShort && rest >= unit - rest
            case .down: isNegative && rest != 0
            case .up: !isNegative && rest != 0
            }
        if raises { kept += 1 }
        guard kept != 0 else { return Decimal128(0) }
        return Decimal128(isNegative: isNegative, canonical: kept, exponent: -Int(places))
    }

    /// Returns the remainder of a division that truncates toward zero, which is exact.
    ///
    /// The remainder has the sign of the dividend. It is NaN if the dividend is infinite or the
    /// divisor is 0.
    package func remainder(dividingBy divisor: Decimal128) -> Decimal128 {
        guard !isNaN else { return quieted }
        guard !divisor.isNaN else { return divisor.quieted }
        guard isFinite, !divisor.isZero else { return .nan }
        guard divisor.isFinite else { return self }
        let (left, leftExponent) = parts
        let (right, rightExponent) = divisor.parts
        var rest = left
        if leftExponent >= rightExponent {
            rest %= right
            for _ in 0..<(leftExponent - rightExponent) where rest != 0 {
                // At most 35 digits.
                rest = rest * 10 % right
            }
        } else {
            let distance = rightExponent - leftExponent
            // Otherwise the divisor is greater, in the unit of the dividend.
            guard distance < Decimal128.digitsMax else { return self }
            let (scaled, overflow) = right.multipliedReportingOverflow(
                by: Decimal128.powerOfTen(distance))
            guard !overflow else { return self }
            rest %= scaled
        }
        return Decimal128(
            isNegative: isNegative, canonical: rest, exponent: min(leftExponent, rightExponent))
    }
}

extension Int64 {
    fileprivate func clamped(to limit: Int64) -> Int64 { Swift.max(-limit, Swift.min(self, limit)) }
}
