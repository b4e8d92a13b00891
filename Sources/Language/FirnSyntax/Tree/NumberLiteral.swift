package import FirnValues

/// A number as written, which is exact until it gets a type.
///
/// The type is that of the value with which the number is compared or combined, or in which it is
/// stored. Integers that fit an Int are Ints from the beginning, because every other numeric type
/// compares with them exactly. All other numbers are literals: they have a point, an exponent, or
/// more digits than 64 bits hold. `2.718281828459045235` has two values: a Decimal128 with all
/// digits, and the nearest Double. Each loses information that the other keeps.
package struct NumberLiteral: Hashable, Sendable {
    /// The nearest Double; infinite outside the range of Doubles.
    package let double: Double
    /// The number with all its digits; `nil` if it has more than a Decimal128 can hold.
    package let decimal: Decimal128?
    /// Whether the number has neither a point nor an exponent.
    package let isWhole: Bool

    /// Parses a number.
    ///
    /// - Parameter text: digits with an optional sign, point and exponent.
    package init?(_ text: String) {
        guard let double = Double(text) else { return nil }
        self.double = double
        decimal = Decimal128(text)
        isWhole = text.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
    }

    /// Creates a number that was computed from literals, or that has the digits of a Decimal128.
    package init(double: Double, decimal: Decimal128?, isWhole: Bool = false) {
        self.double = double
        self.decimal = decimal
        self.isWhole = isWhole
    }

    /// The number in query syntax.
    package var text: String {
        guard !survivesAsDouble, let decimal else { return "\(double)" }
        let digits = "\(decimal)"
        return isWhole || digits.contains(".") || digits.contains("E") ? digits : digits + ".0"
    }

    package var negated: NumberLiteral {
        NumberLiteral(double: -double, decimal: decimal?.negated, isWhole: isWhole)
    }

    /// Whether the shortest digits of the Double are the original digits, so that it represents the
    /// number.
    private var survivesAsDouble: Bool {
        guard double.isFinite, let decimal else { return double.isFinite }
        return Decimal128(shortest: double).numericOrder(relativeTo: decimal) == .equal
    }

    /// Returns the number as a value of a type, or for comparison with it; `nil` if the type cannot
    /// hold it.
    ///
    /// If there is no specific type, as in an Any, the number is a Double unless that would lose
    /// digits.
    package func value(for base: ValueTag) -> Value? {
        switch base {
        case .decimal128: decimal.map { .decimal128($0) }
        case .double, .float: double.isFinite ? .double(double) : nil
        // Every Int is less or greater than a number beyond the range of Doubles.
        case .int where decimal == nil: .double(double)
        default:
            if survivesAsDouble {
                .double(double)
            } else {
                decimal.map { .decimal128($0) } ?? (double.isFinite ? .double(double) : nil)
            }
        }
    }

    /// The values that are equal to the number inside an Any.
    ///
    /// A Double is equal to the nearest Double, and a Decimal128 to the number with all its digits.
    package var anyValues: [Value] {
        guard let decimal else { return value(for: .double).map { [$0] } ?? [] }
        let exact = Value.decimal128(decimal)
        guard let nearest = value(for: .double) else { return [exact] }
        return nearest.order(relativeTo: exact) == .equal ? [nearest] : [nearest, exact]
    }
}
