import FirnText
import FirnValues

/// Parses numbers from bytes, strictly: an accepted text prints again as exactly the same text.
package enum NumberText {
    package typealias Bytes = UnsafeBufferPointer<UInt8>

    /// Parses a 64-bit whole number without plus sign, leading zero or negative zero.
    @inline(__always)
    package static func int(_ text: Bytes) -> Int64? {
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        let first = isNegative ? 1 : 0
        let digits = text.count &- first
        guard digits > 0, digits <= 19 else { return nil }
        var magnitude: UInt64 = 0
        for index in first..<text.count {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            // Nineteen digits stay below 10^19, which is less than 2^64.
            magnitude = magnitude &* 10 &+ UInt64(digit)
        }
        if text[first] == UInt8(ascii: "0"), digits > 1 || isNegative { return nil }
        if isNegative {
            guard magnitude <= Int64.min.magnitude else { return nil }
            return Int64(truncatingIfNeeded: 0 &- magnitude)
        }
        return Int64(exactly: magnitude)
    }

    /// A decimal number, and the forms in which it prints as the same text.
    package struct Decimal {
        let value: Double
        /// The digits after the decimal point.
        let places: Int
        /// Whether the value with this number of places prints as the same text.
        let isFixed: Bool
        /// Whether the shortest text of the value is the same text.
        let isShortest: Bool
    }

    /// Parses a number with a decimal point or in exponential form that prints again as the same
    /// text in at least one of the two forms.
    package static func decimal(_ text: Bytes) -> Decimal? {
        guard let digits = pointDigits(text) else { return exponential(text) }
        // Up to fifteen digits: exact, and no two such texts give the same double.
        if digits.mantissa < 1_000_000_000_000_000, digits.places <= 15, digits.count <= 18 {
            let magnitude = Double(digits.mantissa) / DecimalPower.power(digits.places)
            let value = digits.isNegative ? -magnitude : magnitude
            let isPlain = magnitude >= 0.0001 || digits.mantissa == 0
            let isShortest =
                isPlain
                ? digits.places == 1 || text[text.count - 1] != UInt8(ascii: "0")
                : equals(value.description, text)
            return Decimal(
                value: value, places: digits.places, isFixed: true, isShortest: isShortest)
        }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
            return nil
        }
        let isFixed =
            digits.count <= 18
            && TextBuffer.units(of: value, places: digits.places) == digits.mantissa
        let isShortest = equals(value.description, text)
        guard isFixed || isShortest else { return nil }
        return Decimal(
            value: value, places: digits.places, isFixed: isFixed, isShortest: isShortest)
    }

    /// Parses the digits of `-12.50`; the mantissa is only meaningful up to 18 digits.
    private static func pointDigits(
        _ text: Bytes
    ) -> (mantissa: UInt64, count: Int, places: Int, isNegative: Bool)? {
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        let first = isNegative ? 1 : 0
        var mantissa: UInt64 = 0
        var point: Int?
        for index in first..<text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "."), point == nil {
                point = index
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            mantissa = mantissa &* 10 &+ UInt64(digit)
        }
        guard let point, point > first, point + 1 < text.count else { return nil }
        if text[first] == UInt8(ascii: "0"), point > first + 1 { return nil }
        return (mantissa, text.count - first - 1, text.count - point - 1, isNegative)
    }

    /// Parses `1e-05` and the like, if the shortest text of the number is the same.
    private static func exponential(_ text: Bytes) -> Decimal? {
        // Longer than any printed double.
        guard text.count >= 5, text.count <= 25, text.contains(UInt8(ascii: "e")),
            text[text.count - 1] &- UInt8(ascii: "0") < 10,
            let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite,
            equals(value.description, text)
        else { return nil }
        return Decimal(value: value, places: 0, isFixed: false, isShortest: true)
    }

    private static func equals(_ string: String, _ text: Bytes) -> Bool {
        string.utf8.elementsEqual(text)
    }
}
