extension Decimal128 {
    /// Parses a decimal number exactly.
    ///
    /// Accepted are digits with an optional sign, point and exponent, and `inf`, `infinity`, `nan`
    /// and `snan` in any case. The digits of a payload can follow the names of NaN.
    ///
    /// - Returns: `nil` for any other text, and for a number that the 34 digits and the exponents
    ///   of the format cannot represent exactly.
    public init?(_ text: some StringProtocol) {
        var copy = String(text)
        let parsed = copy.withUTF8 { Decimal128.parse($0) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Parses the forms of ``init(_:)``, and rounds to the nearest number, halves to even.
    ///
    /// - Returns: `nil` for a text that is not a number. A number that is too large becomes
    ///   infinite.
    public init?(rounding text: some StringProtocol) {
        var copy = String(text)
        guard let (number, _) = copy.withUTF8({ Decimal128.read($0) }) else { return nil }
        self = number
    }

    /// Parses the forms of ``init(_:)`` from UTF-8.
    ///
    /// - Complexity: O(length); no allocation.
    public static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Decimal128? {
        guard let (number, isExact) = read(text), isExact else { return nil }
        return number
    }

    private static func read(
        _ text: UnsafeBufferPointer<UInt8>
    ) -> (number: Decimal128, isExact: Bool)? {
        var rest = text[...]
        var isNegative = false
        if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            isNegative = first == UInt8(ascii: "-")
            rest.removeFirst()
        }
        if let special = special(rest) { return (isNegative ? special.negated : special, true) }
        guard let digits = DigitReader(&rest), let exponent = exponent(&rest), rest.isEmpty
        else { return nil }
        let unrounded = UnroundedDecimal(
            isNegative: isNegative, coefficient: UInt256(digits.coefficient),
            exponent: digits.exponent + exponent, hasRest: digits.hasRest)
        return unrounded.nearest(preferred: unrounded.exponent)
    }

    private static func special(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Decimal128? {
        func begins(with name: StaticString) -> Bool {
            guard text.count >= name.utf8CodeUnitCount else { return false }
            let expected = UnsafeBufferPointer(
                start: name.utf8Start, count: name.utf8CodeUnitCount)
            // The bit that distinguishes the two cases of ASCII letters.
            return zip(text, expected).allSatisfy { $0 | 0x20 == $1 }
        }
        if text.count == 3, begins(with: "inf") { return .infinity }
        if text.count == 8, begins(with: "infinity") { return .infinity }
        if begins(with: "nan") { return nan(payload: text.dropFirst(3), isSignalling: false) }
        if begins(with: "snan") { return nan(payload: text.dropFirst(4), isSignalling: true) }
        return nil
    }

    private static func nan(
        payload digits: Slice<UnsafeBufferPointer<UInt8>>, isSignalling: Bool
    ) -> Decimal128? {
        var payload: UInt128 = 0
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            payload = payload * 10 + UInt128(digit)
            guard payload < payloadLimit else { return nil }
        }
        return nan(payload: payload, isSignalling: isSignalling)
    }

    /// Parses the number after `E`, or returns 0 if there is none.
    ///
    /// Stops counting well outside the range.
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
            // Beyond this, no text that fits in memory has enough digits to bring the number back
            // into range.
            if number < 1 << 56 { number = number * 10 + Int(digit) }
            rest.removeFirst()
            count += 1
        }
        return count == 0 ? nil : (isNegative ? -number : number)
    }
}

/// Reads the digits before an exponent, without the point.
private struct DigitReader {
    /// The first 38 significant digits: four more than the format has, which is the most that 128
    /// bits hold.
    private(set) var coefficient: UInt128 = 0
    /// The power of ten by which the coefficient is multiplied.
    private(set) var exponent = 0
    /// Whether a nonzero digit follows the coefficient.
    private(set) var hasRest = false

    /// Reads the digits.
    ///
    /// - Returns: `nil` if there is no digit.
    init?(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) {
        let limit = Decimal128.powerOfTen(37)
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
                if coefficient < limit {
                    coefficient = coefficient * 10 + UInt128(digit)
                } else {
                    exponent += 1
                    hasRest = hasRest || digit != 0
                }
            }
            rest.removeFirst()
        }
        guard count > 0 else { return nil }
    }
}
