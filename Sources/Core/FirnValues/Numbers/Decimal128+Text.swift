extension Decimal128: CustomStringConvertible {
    /// The number as a scientific string of the General Decimal Arithmetic specification.
    ///
    /// It preserves every digit and the exponent: `0.10`, `1E+3`, `-Infinity`, `NaN`, `NaN12`.
    public var description: String {
        let sign = isNegative ? "-" : ""
        if isNaN {
            let payload = payload
            return sign + (isSignalling ? "sNaN" : "NaN") + (payload == 0 ? "" : String(payload))
        }
        if isInfinite { return sign + "Infinity" }
        let (coefficient, exponent) = parts
        let digits = String(coefficient)
        let count = digits.utf8.count
        // The exponent of the first digit.
        let adjusted = exponent + count - 1
        guard exponent <= 0, adjusted >= -6 else {
            let fraction = count > 1 ? "." + digits.dropFirst() : ""
            return sign + digits.prefix(1) + fraction + "E" + (adjusted < 0 ? "" : "+")
                + String(adjusted)
        }
        if exponent == 0 { return sign + digits }
        let point = count + exponent
        if point > 0 { return sign + digits.prefix(point) + "." + digits.dropFirst(point) }
        return sign + "0." + String(repeating: "0", count: -point) + digits
    }
}
