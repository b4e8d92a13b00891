import FirnValues

/// Describes why a value makes its column text, for the report of an import.
enum TextReason {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    /// - Parameter evidence: the common form of the values before.
    static func describe(_ text: Bytes, after evidence: ColumnEvidence, line: UInt64) -> String {
        if text.isEmpty {
            return "\"\" in quotes is an empty string, not a missing value (line \(line))"
        }
        let shown = "\"" + SafeText.excerpt(of: text, characters: 24) + "\""
        return "\(shown) \(reason(text, after: evidence)) (line \(line))"
    }

    private static func reason(_ text: Bytes, after evidence: ColumnEvidence) -> String {
        switch evidence.guess {
        case .int where NumberText.decimal(text) != nil:
            "has decimal places, but earlier values have none"
        case .decimal where NumberText.int(text) != nil:
            "is a whole number, but earlier values have decimal places"
        case .decimal where NumberText.decimal(text) != nil:
            "has a different number of decimal places than earlier values"
        case .nothing, .int, .decimal: numberReason(text)
        case .date where DateText.dateTime(text) != nil:
            "has a time of day, but earlier values have none"
        case .date: "is not a date"
        case .dateTime where DateText.date(text) != nil:
            "has no time of day, but earlier values have one"
        case .dateTime: "is not a point in time that ends in Z"
        case .bool: "is neither true nor false"
        case .string: "is text"
        }
    }

    /// Returns the reason why a text that looks like a number is not one.
    private static func numberReason(_ text: Bytes) -> String {
        if text[0] == UInt8(ascii: "+") { return "has a plus sign" }
        let digits = text[0] == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        guard let first = digits.first, isDigit(first) else { return "is text" }
        let isWhole = digits.allSatisfy(isDigit)
        if first == UInt8(ascii: "0"), isWhole, digits.count > 1 { return "has a leading zero" }
        if isWhole, digits.count >= 19 { return "does not fit into 64 bits" }
        if Double(String(decoding: text, as: UTF8.self)) != nil {
            return "would print differently as a number"
        }
        return isDateLike(text) ? "is not a date in the form 2013-01-31T23:59:59Z" : "is text"
    }

    private static func isDateLike(_ text: Bytes) -> Bool {
        text.count >= 10 && text.count <= 35 && text.prefix(4).allSatisfy(isDigit)
            && text[4] == UInt8(ascii: "-") && isDigit(text[5])
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
