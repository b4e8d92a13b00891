package import FirnCodec
package import FirnValues

/// A number as it was written: exact until the type that it is compared with, computed with or
/// stored as is known.
///
/// Whole numbers that fit an Int are Ints from the beginning, because every other numeric type
/// compares with them exactly. A literal is what remains: a point, an exponent, or more digits than
/// 64 bits hold. `2.718281828459045235` is a Decimal128 with all of its digits and the nearest
/// Double, and each loses what the other keeps.
package struct NumberLiteral: Hashable, Sendable {
    /// The nearest Double; infinite beyond the range of Doubles.
    package let double: Double
    /// The number with all of its digits; `nil` if it has more than a Decimal128 can hold.
    package let decimal: Decimal128?
    /// Whether it has neither a point nor an exponent.
    package let isWhole: Bool

    /// - Parameter text: digits with an optional sign, point and exponent.
    package init?(_ text: String) {
        guard let double = Double(text) else { return nil }
        self.double = double
        decimal = Decimal128(text)
        isWhole = text.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
    }

    /// A number that was computed from literals, or came with the digits of a Decimal128.
    package init(double: Double, decimal: Decimal128?, isWhole: Bool = false) {
        self.double = double
        self.decimal = decimal
        self.isWhole = isWhole
    }

    /// The number as a query says it.
    package var text: String {
        guard !survivesAsDouble, let decimal else { return "\(double)" }
        let digits = "\(decimal)"
        return isWhole || digits.contains(".") || digits.contains("E") ? digits : digits + ".0"
    }

    package var negated: NumberLiteral {
        NumberLiteral(double: -double, decimal: decimal?.negated, isWhole: isWhole)
    }

    /// Whether the shortest digits of the Double are those that were written, so that it stands for
    /// the number.
    private var survivesAsDouble: Bool {
        guard double.isFinite, let decimal else { return double.isFinite }
        return Decimal128(shortest: double).numericOrder(relativeTo: decimal) == .equal
    }

    /// The number as a value of a type, or against values of it; `nil` if the type cannot hold it.
    ///
    /// Where the type says nothing, as in an Any, the number is a Double unless that would lose
    /// digits.
    package func value(for base: ValueTag) -> Value? {
        switch base {
        case .decimal128: decimal.map { .decimal128($0) }
        case .double, .float: double.isFinite ? .double(double) : nil
        default:
            if survivesAsDouble {
                .double(double)
            } else {
                decimal.map { .decimal128($0) } ?? (double.isFinite ? .double(double) : nil)
            }
        }
    }

    /// The values that equal the number inside of an Any, where a Double has the digits of the
    /// nearest Double and a Decimal128 has all of them.
    package var anyValues: [Value] {
        guard let decimal else { return value(for: .double).map { [$0] } ?? [] }
        let exact = Value.decimal128(decimal)
        guard let nearest = value(for: .double) else { return [exact] }
        return nearest.order(relativeTo: exact) == .equal ? [nearest] : [nearest, exact]
    }

    /// The constant that values inside of an Any are ordered against.
    ///
    /// A Double is held against the nearest Double, a Decimal128 against all digits: the outer one
    /// of both is right for every Double, and for every Decimal128 that is not between them.
    package func bound(_ operation: ComparisonOperator) -> Value? {
        let ascending = anyValues.sorted { $0.order(relativeTo: $1) == .less }
        return switch operation {
        case .less, .greaterOrEqual: ascending.first
        case .lessOrEqual, .greater: ascending.last
        case .equal, .notEqual: nil
        }
    }
}
