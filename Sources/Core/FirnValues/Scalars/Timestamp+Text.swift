extension Timestamp: CustomStringConvertible {
    /// The timestamp in ISO 8601 in UTC, with a fraction only if it is not 0.
    ///
    /// Outside the years 0000 to 9999, which ISO 8601 cannot represent without prior agreement, the
    /// form is `T<seconds>:<nanoseconds>`.
    public var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text of ``description``.
    ///
    /// - Complexity: O(1)
    public func append(to text: inout [UInt8]) {
        guard let clock = appendDate(to: &text) else {
            appendNumbers(to: &text)
            return
        }
        text.append(UInt8(ascii: "T"))
        Timestamp.append(clock / 3600, digits: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        Timestamp.append(clock / 60 % 60, digits: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        Timestamp.append(clock % 60, digits: 2, to: &text)
        appendFraction(to: &text)
        text.append(UInt8(ascii: "Z"))
    }

    /// Appends `T<seconds>:<nanoseconds>`, where both numbers have the same sign.
    private func appendNumbers(to text: inout [UInt8]) {
        let isSplit = seconds < 0 && nanoseconds > 0
        let shownSeconds = isSplit ? seconds + 1 : seconds
        let shownNanoseconds = isSplit ? nanoseconds - 1_000_000_000 : nanoseconds
        text.append(contentsOf: "T\(shownSeconds):\(shownNanoseconds)".utf8)
    }

    /// Appends `yyyy-mm-dd`, the form of a date-only column, if that loses no information.
    ///
    /// - Returns: whether the value is midnight in UTC of a year from 0000 to 9999. Otherwise,
    ///   nothing is appended.
    public func appendDateOnly(to text: inout [UInt8]) -> Bool {
        guard nanoseconds == 0, seconds % 86_400 == 0 else { return false }
        return appendDate(to: &text) != nil
    }

    /// Appends the date, and returns the second of the day; otherwise appends nothing, and returns
    /// `nil`.
    private func appendDate(to text: inout [UInt8]) -> Int? {
        let clock = ((seconds % 86_400) + 86_400) % 86_400
        let days = (seconds / 86_400) - (seconds % 86_400 < 0 ? 1 : 0)
        let date = CivilDate(daysSince1970: days)
        guard (0...9999).contains(date.year) else { return nil }
        Timestamp.append(Int(date.year), digits: 4, to: &text)
        text.append(UInt8(ascii: "-"))
        Timestamp.append(date.month, digits: 2, to: &text)
        text.append(UInt8(ascii: "-"))
        Timestamp.append(date.day, digits: 2, to: &text)
        return Int(clock)
    }

    private func appendFraction(to text: inout [UInt8]) {
        guard nanoseconds != 0 else { return }
        text.append(UInt8(ascii: "."))
        Timestamp.append(Int(nanoseconds), digits: 9, to: &text)
        while text.last == UInt8(ascii: "0") { text.removeLast() }
    }

    private static func append(_ number: Int, digits: Int, to text: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }
}
