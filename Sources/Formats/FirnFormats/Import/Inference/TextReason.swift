import FirnValues

/// Describes why a value makes its column text, for the report of an import.
enum TextReason {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    /// - Parameter evidence: the common form of the values before.
    static func describe(_ text: Bytes, after evidence: ColumnEvidence, line: UInt64) -> String {
        let location = evidence.inputName.map { "line \(line) of \($0)" } ?? "line \(line)"
        if text.isEmpty {
            return "\"\" in quotes is an empty string, not a missing value (\(location))"
        }
        let shown = "\"" + SafeText.excerpt(of: text, characters: 24) + "\""
        return "\(shown) \(reason(text, after: evidence)) (\(location))"
    }

    /// Describes a number whose form differs from the numbers of the table.
    static func describe(
        _ text: Bytes, notInForm numbers: NumberForm, in inputName: String?, line: UInt64
    ) -> String {
        let location = inputName.map { "line \(line) of \($0)" } ?? "line \(line)"
        let shown = "\"" + SafeText.excerpt(of: text, characters: 24) + "\""
        return "\(shown) is not a number with --decimal \(numbers.sign) (\(location))"
    }

    private static func reason(_ text: Bytes, after evidence: ColumnEvidence) -> String {
        switch evidence.guess {
        case .int where NumberText.decimal(text) != nil:
            evidence.isExact
                ? "has decimal places, but earlier values have none"
                : "has decimal places, but an earlier value has more digits than a Double keeps"
        case .double where evidence.isExact && NumberText.int(text) != nil:
            "is a whole number, but earlier values have decimal places"
        case .double where evidence.isExact && NumberText.decimal(text) != nil:
            "has a different number of decimal places than earlier values"
        case .nothing, .int, .double: numberReason(text, evidence)
        case .date where DateText.dateTime(text) != nil:
            "has a time of day, but earlier values have none"
        case .date: "is not a date"
        case .dateTime where !evidence.readsTimes && DateText.date(text) != nil:
            "has no time of day, but earlier values have one"
        case .dateTime:
            evidence.readsTimes ? "is not a point in time" : "is not a point in time that ends in Z"
        case .bool: "is neither true nor false"
        case .string: "is text"
        }
    }

    /// Returns the reason why a text that looks like a number is not one.
    private static func numberReason(_ text: Bytes, _ evidence: ColumnEvidence) -> String {
        let text = evidence.isExact ? text : FieldText.trimmed(text)
        if text.first == UInt8(ascii: "+") { return "has a plus sign" }
        if let shape = NumberShape(text) {
            if shape.isPaddedWhole { return "has a leading zero" }
            if shape.isWhole { return wholeReason(text) }
            guard evidence.isExact else {
                return "has more digits than a Double keeps, or is out of its range"
            }
        }
        if Double(String(decoding: text, as: UTF8.self)) != nil {
            return "would print differently as a number"
        }
        return isDateLike(text) ? "is not a date in the form 2013-01-31T23:59:59Z" : "is text"
    }

    private static func wholeReason(_ text: Bytes) -> String {
        guard NumberText.int(text) != nil else {
            return text.count >= 19
                ? "does not fit into 64 bits" : "would print differently as a number"
        }
        return "has more digits than a Double keeps"
    }

    private static func isDateLike(_ text: Bytes) -> Bool {
        text.count >= 10 && text.count <= 35 && text.prefix(4).allSatisfy(isDigit)
            && text[4] == UInt8(ascii: "-") && isDigit(text[5])
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
