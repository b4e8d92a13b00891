import FirnValues

extension TextBuffer {
    /// Appends the shortest text that reads back as the same double, always with a decimal point or
    /// an exponent; `NaN`, `Infinity` and `-Infinity` for values without digits.
    public mutating func append(double value: Double) {
        guard value.isFinite else { return appendNonFinite(value) }
        if appendShortDecimal(value) { return }
        append(string: value.description)
    }

    /// Appends the shortest text that reads back as the same float.
    package mutating func append(float value: Float) {
        guard value.isFinite else { return appendNonFinite(Double(value)) }
        append(string: value.description)
    }

    /// Appends a double with `places` digits after the decimal point if that reads back as the same
    /// double, and its shortest text otherwise.
    @inlinable @inline(__always)
    public mutating func append(double value: Double, places: Int) {
        if let units = TextBuffer.units(of: value, places: places) {
            appendFixed(units, isNegative: value.sign == .minus, places: places)
        } else {
            append(double: value)
        }
    }

    /// Appends a computed double with `places` digits after the decimal point if only a rounding
    /// error separates the two, and its shortest text otherwise.
    package mutating func append(double value: Double, roundedTo places: Int) {
        let power = DecimalPower.power(min(max(places, 0), DecimalPower.exactMax))
        let scaled = (value * power).rounded()
        let near = scaled / power
        // Many thousand roundings, and still less than any digit that an operand has.
        let isNear =
            scaled.magnitude < 0x1p53 && (near - value).magnitude <= value.magnitude * 1e-13
        append(double: isNear ? near : value, places: places)
    }

    /// Returns the absolute value in units of 10^-places, if this represents the double exactly.
    @inlinable @inline(__always)
    public static func units(of value: Double, places: Int) -> UInt64? {
        guard places > 0, places <= 15 else { return nil }
        let power = DecimalPower.power(places)
        let magnitude = value.magnitude
        let scaled = (magnitude * power).rounded()
        // Also false for NaN. Below 2^53 every whole number is a double, so the division is exact.
        guard scaled < 0x1p53, scaled / power == magnitude else { return nil }
        return UInt64(scaled)
    }

    /// Appends a double with at most six digits after the decimal point and fifteen in total,
    /// without an exponent.
    ///
    /// Two decimals of up to fifteen digits are never the same double, so the first number of
    /// places that reads back is the shortest text.
    private mutating func appendShortDecimal(_ value: Double) -> Bool {
        let magnitude = value.magnitude
        // Other values have an exponent or more digits.
        guard (magnitude >= 0.001 && magnitude < 1e9) || magnitude == 0 else { return false }
        for places in 1...6 {
            if let units = TextBuffer.units(of: value, places: places) {
                appendFixed(units, isNegative: value.sign == .minus, places: places)
                return true
            }
        }
        return false
    }

    @inlinable @inline(__always)
    mutating func appendFixed(_ units: UInt64, isNegative: Bool, places: Int) {
        if isNegative { append(UInt8(ascii: "-")) }
        var power: UInt64 = 1
        for _ in 0..<places { power &*= 10 }
        let (whole, fraction) = units.quotientAndRemainder(dividingBy: power)
        append(unsigned: whole)
        append(UInt8(ascii: "."))
        append(unsigned: fraction, digits: places)
    }

    private mutating func appendNonFinite(_ value: Double) {
        if value.isNaN {
            append("NaN")
        } else {
            append(value < 0 ? "-Infinity" : "Infinity")
        }
    }
}

/// Powers of ten that a double represents exactly: 10^0 to 10^22.
///
/// A whole number below 2^53 divided by one of them is rounded once, so the quotient is the double
/// nearest to the decimal number. This makes short decimals exact and fast in both directions.
public enum DecimalPower {
    @usableFromInline static let exactMax = 22

    /// Returns 10 to the power of an exponent.
    ///
    /// - Parameter exponent: 0 to 22.
    @inlinable @inline(__always)
    public static func power(_ exponent: Int) -> Double {
        precondition(exponent >= 0 && exponent <= exactMax)
        return table[exponent]
    }

    @usableFromInline static let table: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
