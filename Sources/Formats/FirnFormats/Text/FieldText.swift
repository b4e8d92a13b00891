package import FirnValues

/// Parses the fields of tables by their meaning, regardless of their spelling.
///
/// ``NumberText`` and ``DateText`` accept only the texts that an export prints. This type also
/// accepts what other programs print: blanks around a value, `.5`, `1E5`, `TRUE`,
/// `2013-01-31 23:59`, and words for a missing value. Texts whose digits carry meaning of their own
/// are not numbers: `007`, `+1`, and numbers beyond 64 bits.
package enum FieldText {
    package typealias Bytes = UnsafeBufferPointer<UInt8>

    /// Returns the text without the spaces and tabs around it.
    static func trimmed(_ text: Bytes) -> Bytes {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var bounds = text.startIndex..<text.endIndex
        while let first = bounds.first, isBlank(text[first]) { bounds = bounds.dropFirst() }
        while let last = bounds.last, isBlank(text[last]) { bounds = bounds.dropLast() }
        return Bytes(rebasing: text[bounds])
    }

    /// The texts for a missing value, in lower case.
    private static let nullWords: [StaticString] = [
        "", "-", "?", "na", "n/a", "#n/a", "\\n", "nil", "none", "null",
    ]

    /// Returns whether the text is a word for a missing value, such as `NA`, `NULL` or `-`, in
    /// upper or lower case, or an empty text in quotes.
    ///
    /// Such a text is null only in a column of numbers, dates or truth values.
    static func isNullWord(_ text: Bytes) -> Bool {
        let text = trimmed(text)
        guard text.count <= 4 else { return false }
        return nullWords.contains { equals(text, ignoringCase: $0) }
    }

    /// Returns whether a type has values that cannot be spelled like a word for a missing value.
    static func hasNullWords(_ base: ValueTag) -> Bool {
        switch base {
        case .bool, .int, .float, .double, .decimal128, .date, .uuid, .objectID: true
        default: false
        }
    }

    /// Parses `true` or `false` in upper or lower case.
    static func bool(_ text: Bytes) -> Bool? {
        let text = trimmed(text)
        if equals(text, ignoringCase: "true") { return true }
        return equals(text, ignoringCase: "false") ? false : nil
    }

    /// Parses a 64-bit whole number.
    static func int(_ text: Bytes) -> Int64? {
        let text = trimmed(text)
        return NumberText.int(text) ?? (equals(text, ignoringCase: "-0") ? 0 : nil)
    }

    /// Parses a whole number or a decimal number, in plain or exponential form.
    ///
    /// - Returns: `nil` as well for a number with more digits than a Double keeps, because it would
    ///   become another number without notice.
    static func double(_ text: Bytes) -> Double? {
        let text = trimmed(text)
        if let decimal = NumberText.decimal(text) { return decimal.value }
        guard let shape = NumberShape(text) else { return special(text) }
        if shape.isWhole {
            guard let whole = int(text), Int64(exactly: Double(whole)) == whole else { return nil }
            return text.first == UInt8(ascii: "-") && whole == 0 ? -0.0 : Double(whole)
        }
        guard shape.significantDigits <= NumberShape.digitsOfDouble, !shape.isPaddedWhole,
            let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite,
            value != 0 || shape.significantDigits == 0
        else { return nil }
        return value
    }

    private static func special(_ text: Bytes) -> Double? {
        if equals(text, ignoringCase: "nan") { return .nan }
        let isNegative = text.first == UInt8(ascii: "-")
        let word = isNegative ? Bytes(rebasing: text.dropFirst()) : text
        guard equals(word, ignoringCase: "inf") || equals(word, ignoringCase: "infinity") else {
            return nil
        }
        return isNegative ? -.infinity : .infinity
    }

    /// A point in time, and what its text says about it.
    package struct Time {
        package let value: Timestamp
        let hasTimeOfDay: Bool
        /// Whether the text names no offset from UTC.
        let isLocal: Bool
    }

    /// Parses `yyyy-mm-dd`, alone or before a time of day after `T` or a blank; without an offset,
    /// the time is taken as UTC.
    package static func time(_ text: Bytes) -> Time? {
        let text = trimmed(text)
        // `yyyy-m-d` may as well be a number of a part.
        guard text.count >= 10, text.count <= 40, text[4] == UInt8(ascii: "-"),
            text[7] == UInt8(ascii: "-"), let parsed = Timestamp.parse(text)
        else { return nil }
        guard case .dateAndTime = parsed.precision else {
            return Time(value: parsed.timestamp, hasTimeOfDay: false, isLocal: false)
        }
        let isLocal = !text[10...].contains { "Zz+-U".utf8.contains($0) }
        return Time(value: parsed.timestamp, hasTimeOfDay: true, isLocal: isLocal)
    }

    private static func equals(_ text: Bytes, ignoringCase word: StaticString) -> Bool {
        guard text.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            for (byte, expected) in zip(text, word) {
                let isLetter = byte &- UInt8(ascii: "A") < 26
                guard (isLetter ? byte | 0x20 : byte) == expected else { return false }
            }
            return true
        }
    }
}

/// The digits of a text that looks like a number.
struct NumberShape {
    /// The number of digits that a Double keeps in every number that it was printed from.
    static let digitsOfDouble = 17

    /// The number of digits without the zeros at both ends.
    let significantDigits: Int
    /// Whether the whole part has a leading zero, as in `007` or `00.5`.
    let isPaddedWhole: Bool
    /// Whether there is neither a decimal point nor an exponent.
    let isWhole: Bool

    /// Measures `[-]digits[.digits][e[+-]digits]`, with digits on at least one side of the point;
    /// returns `nil` for any other text.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        guard text.count <= 400 else { return nil }
        var rest = text[...]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let mantissa = rest.prefix { NumberShape.isDigit($0) || $0 == UInt8(ascii: ".") }
        let parts = mantissa.split(
            separator: UInt8(ascii: "."), maxSplits: 2, omittingEmptySubsequences: false)
        rest = rest[mantissa.endIndex...]
        isWhole = parts.count == 1 && rest.isEmpty
        guard parts.count <= 2, mantissa.contains(where: NumberShape.isDigit),
            rest.isEmpty || NumberShape.isExponent(rest)
        else { return nil }
        isPaddedWhole = parts.first.map { $0.count > 1 && $0.first == UInt8(ascii: "0") } ?? false
        let digits = mantissa.filter { $0 != UInt8(ascii: ".") }
        let zero = UInt8(ascii: "0")
        let start = digits.firstIndex { $0 != zero } ?? digits.endIndex
        let end = digits.lastIndex { $0 != zero }.map { $0 + 1 } ?? digits.startIndex
        significantDigits = max(0, end - start)
    }

    private static func isExponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let first = text.first, first | 0x20 == UInt8(ascii: "e") else { return false }
        var digits = text.dropFirst()
        if let sign = digits.first, "+-".utf8.contains(sign) { digits.removeFirst() }
        return !digits.isEmpty && digits.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
