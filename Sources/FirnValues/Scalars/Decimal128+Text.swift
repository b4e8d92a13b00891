extension Decimal128: CustomStringConvertible {
    /// The scientific string of the General Decimal Arithmetic specification, which gives back
    /// every digit and the exponent: `0.10`, `1E+3`, `-Infinity`, `NaN`.
    public var description: String {
        let sign = isNegative ? "-" : ""
        if isNaN { return sign + (isSignalling ? "sNaN" : "NaN") }
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

extension Decimal128 {
    /// Reads digits with an optional sign, point and exponent, or `inf`, `infinity`, `nan`,
    /// `snan` in any case; never rounds.
    ///
    /// - Returns: `nil` for anything else, and for a number that 34 digits and the exponents of
    ///   the format cannot hold exactly.
    public init?(_ text: some StringProtocol) {
        var copy = String(text)
        let parsed = copy.withUTF8 { Decimal128.parse($0) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Reads the forms of ``init(_:)`` from UTF-8.
    ///
    /// - Complexity: O(length); no allocation.
    public static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Decimal128? {
        var rest = text[...]
        var isNegative = false
        if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            isNegative = first == UInt8(ascii: "-")
            rest.removeFirst()
        }
        if let special = special(rest) { return isNegative ? special.negated : special }
        guard let digits = DigitReader(&rest), let exponent = exponent(&rest), rest.isEmpty
        else { return nil }
        return Decimal128(
            isNegative: isNegative, coefficient: digits.coefficient,
            exponent: digits.exponent + exponent)
    }

    private static func special(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Decimal128? {
        func matches(_ name: StaticString) -> Bool {
            guard text.count == name.utf8CodeUnitCount else { return false }
            // The bit that tells ASCII letters of both cases apart.
            return zip(text, UnsafeBufferPointer(start: name.utf8Start, count: text.count))
                .allSatisfy { $0 | 0x20 == $1 }
        }
        if matches("inf") || matches("infinity") { return .infinity }
        if matches("nan") { return .nan }
        if matches("snan") { return Decimal128(high: 0b0_111111 << 57, low: 0) }
        return nil
    }

    /// The number behind `E`, 0 if there is none; far outside of the format it stops counting.
    private static func exponent(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") else { return 0 }
        rest.removeFirst()
        var isNegative = false
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            rest.removeFirst()
        }
        var number = 0
        var count = 0
        while let digit = rest.first.map({ $0 &- UInt8(ascii: "0") }), digit < 10 {
            // More digits than a text in memory has places cannot come back into range.
            if number < 1 << 56 { number = number * 10 + Int(digit) }
            rest.removeFirst()
            count += 1
        }
        return count == 0 ? nil : (isNegative ? -number : number)
    }
}

/// The digits before an exponent, with the point taken out.
private struct DigitReader {
    private(set) var coefficient: UInt128 = 0
    /// The power of ten that the coefficient counts.
    private(set) var exponent = 0
    /// Zeros behind the coefficient that only count if another digit follows.
    private var pendingZeros = 0

    /// - Returns: `nil` if there is no digit, or more significant ones than the format has.
    init?(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) {
        var count = 0
        var isBehindPoint = false
        while let byte = rest.first {
            if byte == UInt8(ascii: "."), !isBehindPoint {
                isBehindPoint = true
            } else {
                let digit = byte &- UInt8(ascii: "0")
                guard digit < 10 else { break }
                count += 1
                if isBehindPoint { exponent -= 1 }
                guard append(digit) else { return nil }
            }
            rest.removeFirst()
        }
        guard count > 0 else { return nil }
        exponent += pendingZeros
    }

    private mutating func append(_ digit: UInt8) -> Bool {
        let limit = Decimal128.coefficientMax / 10
        // A zero that still fits is kept, because 1.0 and 1.00 are different texts.
        if pendingZeros == 0, coefficient <= limit {
            coefficient = coefficient * 10 + UInt128(digit)
            return true
        }
        pendingZeros += 1
        return digit == 0
    }
}
