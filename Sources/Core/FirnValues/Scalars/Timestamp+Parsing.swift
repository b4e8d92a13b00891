extension Timestamp {
    /// The precision of a point in time in a text.
    public enum Precision: Sendable {
        /// `yyyy-mm-dd`: midnight in UTC.
        case date
        /// Date and time of day.
        case dateAndTime
    }

    /// Parses a point in time.
    ///
    /// Accepted are `yyyy-mm-dd`, ISO 8601 (`T` or a blank before the time, optional seconds, a
    /// fraction of up to nine digits, `Z`, `UTC` or an offset; UTC if there is none),
    /// `yyyy-mm-dd@hh:mm:ss` and `T<seconds>:<nanoseconds>`.
    ///
    /// - Returns: `nil` for any other text, and for a date or time that does not exist.
    public init?(_ text: some StringProtocol) {
        var copy = String(text)
        let parsed = copy.withUTF8 { Timestamp.parse($0) }
        guard let parsed else { return nil }
        self = parsed.timestamp
    }

    /// Parses the forms of ``init(_:)`` from UTF-8, and returns the precision of the text.
    ///
    /// - Complexity: O(length); no allocation.
    public static func parse(
        _ text: UnsafeBufferPointer<UInt8>
    ) -> (timestamp: Timestamp, precision: Precision)? {
        var scanner = Scanner(text: text)
        if scanner.skip("T") { return parseSecondsAndNanoseconds(&scanner) }
        guard let year = scanner.digits(4...4), scanner.skip("-"),
            let month = scanner.digits(1...2), scanner.skip("-"),
            let day = scanner.digits(1...2),
            let date = CivilDate(year: Int64(year), month: month, day: day)
        else { return nil }
        let midnight = date.daysSince1970 * 86_400
        if scanner.isAtEnd { return (Timestamp(seconds: midnight), .date) }
        guard scanner.skip("T") || scanner.skip(" ") || scanner.skip("@") || scanner.skip("t"),
            let time = parseTimeOfDay(&scanner), let offset = parseOffset(&scanner),
            scanner.isAtEnd
        else { return nil }
        let seconds = midnight + Int64(time.seconds) - Int64(offset)
        return (Timestamp(seconds: seconds, nanoseconds: Int64(time.nanoseconds)), .dateAndTime)
    }

    private static func parseTimeOfDay(
        _ scanner: inout Scanner
    ) -> (seconds: Int, nanoseconds: Int)? {
        guard let hour = scanner.digits(1...2), hour < 24, scanner.skip(":"),
            let minute = scanner.digits(1...2), minute < 60
        else { return nil }
        let start = hour * 3600 + minute * 60
        guard scanner.skip(":") else { return (start, 0) }
        guard let second = scanner.digits(1...2), second < 60 else { return nil }
        guard scanner.skip(".") || scanner.skip(",") else { return (start + second, 0) }
        let before = scanner.position
        guard var fraction = scanner.digits(1...9) else { return nil }
        for _ in (scanner.position - before)..<9 { fraction *= 10 }
        return (start + second, fraction)
    }

    /// Parses the offset from UTC in seconds; 0 if there is none.
    private static func parseOffset(_ scanner: inout Scanner) -> Int? {
        if scanner.isAtEnd { return 0 }
        // `2013-01-31 23:59:59 UTC`, and `2013-01-31 23:59:59 +0100`.
        let hasBlank = scanner.skip(" ")
        if scanner.skip("Z") || scanner.skip("z") { return 0 }
        if hasBlank, scanner.skip("U") { return scanner.skip("T") && scanner.skip("C") ? 0 : nil }
        let sign: Int
        if scanner.skip("+") {
            sign = 1
        } else if scanner.skip("-") {
            sign = -1
        } else {
            return nil
        }
        guard let hours = scanner.digits(2...2), hours < 24 else { return nil }
        if scanner.isAtEnd { return sign * hours * 3600 }
        _ = scanner.skip(":")
        guard let minutes = scanner.digits(2...2), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private static func parseSecondsAndNanoseconds(
        _ scanner: inout Scanner
    ) -> (timestamp: Timestamp, precision: Precision)? {
        guard let seconds = scanner.integer(), scanner.skip(":"),
            let nanoseconds = scanner.integer(), scanner.isAtEnd,
            (-999_999_999...999_999_999).contains(nanoseconds),
            seconds == 0 || nanoseconds == 0 || (seconds < 0) == (nanoseconds < 0),
            // There is no timestamp before the earliest one.
            seconds != .min || nanoseconds == 0
        else { return nil }
        return (Timestamp(seconds: seconds, nanoseconds: nanoseconds), .dateAndTime)
    }
}

/// Reads the fields of a date from UTF-8.
private struct Scanner {
    let text: UnsafeBufferPointer<UInt8>
    var position = 0

    var isAtEnd: Bool { position == text.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Reads a number whose count of digits, at most nine, is within a range.
    mutating func digits(_ allowed: ClosedRange<Int>) -> Int? {
        var number = 0
        var count = 0
        while count < allowed.upperBound, position < text.count {
            let digit = text[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            number = number * 10 + Int(digit)
            position += 1
            count += 1
        }
        return count >= allowed.lowerBound ? number : nil
    }

    /// Reads a 64-bit integer with an optional sign.
    mutating func integer() -> Int64? {
        let start = position
        if position < text.count, text[position] == UInt8(ascii: "-") { position += 1 }
        while position < text.count, text[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        return Int64(String(decoding: text[start..<position], as: UTF8.self))
    }
}
