import FirnValues

extension Lexer {
    /// Scans `123`, `0x1F`, `1.5`, `.5`, `5.`, `1e3`, `1.5f`, a duration or a date.
    mutating func scanNumberOrDate() throws(QueryError) -> Token.Kind {
        if let date = try scanDate() { return date }
        let start = position
        if peek() == UInt8(ascii: "0"), let x = peek(1), x | 0x20 == UInt8(ascii: "x") {
            return try scanHexadecimal()
        }
        skipDigits()
        var isFloat = skipFraction()
        if skipExponent() { isFloat = true }
        let end = position
        try checkNumberLength(start..<end)
        let suffix = scanSuffix()
        if isFloat {
            guard suffix.isEmpty || suffix == "f" || suffix == "F" else {
                throw malformedNumber(start)
            }
            return .number(try number(start..<end))
        }
        let magnitude = UInt64(text(start..<end))
        if suffix.isEmpty {
            if let magnitude, magnitude <= 1 << 63 { return .integer(magnitude) }
            return .number(try number(start..<end))
        }
        guard let unit = Lexer.millisecondsPerUnit[suffix] else { throw malformedNumber(start) }
        let product = magnitude.flatMap { Int64(exactly: $0) }?.multipliedReportingOverflow(
            by: unit)
        guard let product, !product.overflow else {
            throw syntaxError("\(text(start..<position)) is too long a time", start..<position)
        }
        return .duration(milliseconds: product.partialValue)
    }

    private static let millisecondsPerUnit: TextMap<Int64> = [
        "ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
    ]

    /// Parses a number that fits one of the numeric types.
    private func number(_ range: Range<Int>) throws(QueryError) -> NumberLiteral {
        guard let number = NumberLiteral(text(range)),
            number.double.isFinite || number.decimal != nil
        else {
            throw syntaxError("\(text(range)) is larger than any Double or Decimal128", range)
        }
        return number
    }

    private mutating func scanHexadecimal() throws(QueryError) -> Token.Kind {
        let start = position
        position += 2
        let digits = scanSuffix()
        try checkNumberLength(start..<position)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ Lexer.hexValue($0) != nil }) else {
            throw malformedNumber(start)
        }
        return .integer(try checkedMagnitude(UInt64(digits, radix: 16), start))
    }

    /// Checks that a magnitude fits a signed 64-bit integer with at least one of the two signs.
    private func checkedMagnitude(
        _ magnitude: UInt64?, _ start: Int
    ) throws(QueryError) -> UInt64 {
        guard let magnitude, magnitude <= 1 << 63 else {
            throw Lexer.integerOverflow(text(start..<position), start..<position)
        }
        return magnitude
    }

    package static func integerOverflow(_ digits: String, _ range: Range<Int>) -> QueryError {
        let shown = digits.utf8.count > 40 ? "this number" : digits
        return QueryError(
            .syntax, "\(shown) does not fit an Int of 64 bits", at: range,
            hint: "Int ends at 9223372036854775807; a Double has a decimal point")
    }

    private func checkNumberLength(_ range: Range<Int>) throws(QueryError) {
        guard range.count > QueryLimits.numberBytesMax else { return }
        throw QueryError(
            .limit, "this number has more than \(QueryLimits.numberBytesMax) characters", at: range)
    }

    private func malformedNumber(_ start: Int) -> QueryError {
        let range = start..<position
        let shown = range.count > 40 ? "this" : "\"\(text(range))\""
        return syntaxError(
            "\(shown) is neither a number nor a duration", range,
            hint: "durations are such as 250ms 5s 2m 1h 7d; put names that start with a digit "
                + "in backquotes")
    }

    mutating func skipDigits() {
        while let byte = peek(), Lexer.isDigit(byte) { position += 1 }
    }

    /// Skips a point and digits.
    ///
    /// A point at the end belongs to the number unless a name follows it.
    private mutating func skipFraction() -> Bool {
        guard peek() == UInt8(ascii: ".") else { return false }
        if let next = peek(1), Lexer.isNamePart(next), !Lexer.isDigit(next) {
            let isExponent = next | 0x20 == UInt8(ascii: "e")
            let isSuffix =
                next | 0x20 == UInt8(ascii: "f") && !(peek(2).map(Lexer.isNamePart) ?? false)
            guard isSuffix || (isExponent && exponentLength(at: 1) > 0) else { return false }
        }
        if let next = peek(1),
            [UInt8(ascii: "@"), UInt8(ascii: "`"), UInt8(ascii: ".")].contains(next)
        {
            return false
        }
        position += 1
        skipDigits()
        return true
    }

    private mutating func skipExponent() -> Bool {
        let length = exponentLength(at: 0)
        position += length
        if length > 0 { skipDigits() }
        return length > 0
    }

    /// Returns the length of `e`, a sign and the first digit, starting at a distance, or 0.
    private func exponentLength(at distance: Int) -> Int {
        guard let e = peek(distance), e | 0x20 == UInt8(ascii: "e") else { return 0 }
        let sign = peek(distance + 1)
        let hasSign = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
        let length = hasSign ? 3 : 2
        guard let digit = peek(distance + length - 1), Lexer.isDigit(digit) else { return 0 }
        return length
    }

    /// Scans letters and digits that directly follow a number.
    private mutating func scanSuffix() -> String {
        let start = position
        while let byte = peek(), Lexer.isNamePart(byte) { position += characterLength() }
        return text(start..<position)
    }
}
